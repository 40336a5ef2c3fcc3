import type { Color, NamedColor } from '../measure_color.ts';
import { listed } from './facts.ts';

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

/** "ink blue (28 %), steel blue (20 %) and pale goldenrod (17 %)". */
export const withShares = (words: readonly ColorWord[]): string =>
  listed(words.map(({ name, share }) => `${name} (${Math.max(1, Math.round(share))} %)`));

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

const HARMONY: Record<Color['harmony']['scheme'], string> = {
  achromatic: 'It uses no hue at all, only tones of grey.',
  'one hue': 'Nearly all of the colour belongs to one hue in different depths.',
  'neighbouring hues': 'The hues are neighbours on the colour circle, which keeps them calm together.',
  'complementary hues':
    'Two narrow groups of hue face each other across the colour circle, the strongest contrast of hue there is.',
  'a main hue with a complementary accent':
    'One family of hues rules, and a small part of its opposite on the colour circle answers it.',
  'two opposed families of hue':
    'Two families of hue from opposite sides of the colour circle share the picture.',
  'half the colour circle': 'The hues keep to one half of the colour circle.',
  'hues all around the circle': 'Hues from all around the colour circle take part.',
};

const TEMPERATURE: Record<Color['temperature'], string> = {
  warm: 'warm overall',
  cool: 'cool overall',
  mixed: 'neither clearly warm nor cool',
  neutral: 'nearly neutral',
};

/** Two to four sentences on colour. */
export function colorOverview(color: Color): string {
  const leading = leadingColors(color.palette);
  const carry = leading.length === 1 ? 'fills most of the picture' : 'carry the picture';
  const accent =
    color.accent && !leading.some(({ name }) => name === color.accent!.name) ? color.accent : undefined;
  const sentences = [
    `${sentenceCase(withShares(leading))} ${carry}${accent ? `; ${accent.name} (${Math.max(1, Math.round(accent.share))} %) is the one vivid accent` : ''}.`,
  ];
  if (color.harmony.scheme !== 'achromatic')
    sentences.push(`The picture is ${color.colorfulness} and ${TEMPERATURE[color.temperature]}.`);
  sentences.push(HARMONY[color.harmony.scheme]);
  if (color.warm > 0.25 && color.cool > 0.25)
    sentences.push('Warm and cool areas are both large enough to set each other off.');
  return sentences.join(' ');
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
