import type { Color, NamedColor } from '../measure_color.ts';
import { capitalise, joinWords } from './facts.ts';

export interface ColorWord {
  readonly name: string;
  /** Percent, of all entries of that name. */
  readonly share: number;
}

/** The palette by name, the largest share first: two tones of one name are one colour in words. */
export function colorWords(palette: readonly NamedColor[]): ColorWord[] {
  const shares = new Map<string, number>();
  for (const { name, share } of palette) shares.set(name, (shares.get(name) ?? 0) + share);
  return [...shares].map(([name, share]) => ({ name, share })).sort((one, other) => other.share - one.share);
}

/** The fewest colours that cover three quarters of the picture, at most four. */
export function leadingColors(palette: readonly NamedColor[]): ColorWord[] {
  const words = colorWords(palette);
  let covered = 0;
  const count = words.findIndex(({ share }) => {
    covered += share;
    return covered >= 75;
  });
  return words.slice(0, Math.min(4, Math.max(1, count + 1)));
}

/** The vivid accent, where it is not one of the leading colours already. */
export const accentBeside = (color: Color, leading: readonly ColorWord[]): NamedColor | undefined =>
  color.accent && !leading.some(({ name }) => name === color.accent!.name) ? color.accent : undefined;

/** After "The palette is colourful and warm". */
const HARMONY: Record<Color['harmony']['scheme'], string> = {
  achromatic: '',
  'one hue': ', nearly all of one hue',
  'neighbouring hues': ', of hues that lie next to each other',
  'complementary hues': ', built on two opposite hues',
  'a main hue with a complementary accent': ', with one main hue and a touch of its opposite',
  'two opposed families of hue': ', with two opposite families of hue',
  'half the colour circle': '',
  'hues all around the circle': ', with hues of every kind',
};

/** "muted and warm"; what is neither warm nor cool for want of both is called neither. */
function paletteWords({ colorfulness, temperature, warm, cool }: Color): string {
  if (colorfulness === 'colourless') return 'almost without colour';
  if (temperature === 'neutral') return `${colorfulness} and nearly neutral`;
  if (temperature !== 'mixed') return `${colorfulness} and ${temperature}`;
  return Math.min(warm, cool) > BOTH ? `${colorfulness} and balanced between warm and cool` : colorfulness;
}

/** Part of the picture each of two temperatures has to cover to balance the other. */
const BOTH = 0.25;

/** Two sentences on colour; one for greys. */
export function colorOverview(color: Color): string {
  const leading = leadingColors(color.palette);
  const names = joinWords(leading.map(({ name, share }) => `${name} (${wholePercent(share)})`));
  const accent = accentBeside(color, leading);
  const carry = leading.length === 1 ? 'fills most of the picture' : 'make up most of the picture';
  const shares = `${capitalise(names)} ${carry}${accent ? `; ${accent.name} (${wholePercent(accent.share)}) is a vivid accent` : ''}.`;
  return color.harmony.scheme === 'achromatic'
    ? `${shares} There is no hue in it.`
    : `${shares} The palette is ${paletteWords(color)}${color.temperature === 'neutral' ? '' : HARMONY[color.harmony.scheme]}.`;
}

/** How warm and cool hues share the surface, for whoever wants to know it at length; undefined for greys. */
export const hueShares = ({ harmony, warm, cool }: Color): string | undefined =>
  harmony.scheme === 'achromatic'
    ? undefined
    : `Warm hues cover ${Math.round(100 * warm)}% of the surface and cool hues ${Math.round(100 * cool)}%.`;

const wholePercent = (share: number): string => `${Math.max(1, Math.round(share))}%`;
