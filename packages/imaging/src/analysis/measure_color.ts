import { hexOf } from '../palette/css_colors.ts';
import { paletteOfPixels } from '../palette/palette_of_pixels.ts';
import { roundShares } from '../palette/round_shares.ts';
import { oklabOf } from '../pixels/oklab.ts';
import { type Harmony, harmonyOf } from './harmony.ts';
import { plainColorName } from './plain_color_names.ts';
import type { Planes } from './planes.ts';

export interface NamedColor {
  readonly hex: string;
  readonly name: string;
  /** Percent of the picture, one decimal. */
  readonly share: number;
  /** OKLab chroma; above 0.1 a colour looks vivid. */
  readonly chroma: number;
}

export interface Color {
  /** The largest share first. */
  readonly palette: readonly NamedColor[];
  /** The most vivid colour of a small area in otherwise quieter surroundings. */
  readonly accent?: NamedColor;
  readonly colorfulness: 'colourless' | 'muted' | 'moderately colourful' | 'colourful' | 'vivid';
  /** Hasler and Süsstrunk's M3. */
  readonly colorfulnessScore: number;
  readonly meanChroma: number;
  /** Parts of the picture with a hue from red to yellow, from green-blue to violet-blue, and with hardly any hue. */
  readonly warm: number;
  readonly cool: number;
  readonly neutral: number;
  readonly temperature: 'warm' | 'cool' | 'mixed' | 'neutral';
  readonly harmony: Harmony;
  /** Families of hue with at least 8 percent of all colour, the strongest first. */
  readonly hues: readonly string[];
}

/** Every so many pixels are looked at: hues of single pixels, not of their means. */
const STRIDE = 5;
const PALETTE_COLORS = 6;
const NEUTRAL_CHROMA = 0.025;
const ACCENT = { shareMax: 12, chromaMin: 0.12, aboveOthers: 1.6 };
/** OKLCh hue in degrees up to which yellow counts as warm, and the same below this L*, where yellow looks olive green. */
const YELLOW = 112;
const OLIVE = { below: 55, hue: 95 };
/** OKLCh hue in degrees at which each family ends. */
const FAMILIES: readonly (readonly [string, number])[] = [
  ['pink', 12],
  ['red', 40],
  ['orange', 75],
  ['yellow', 115],
  ['green', 165],
  ['cyan', 215],
  ['blue', 285],
  ['violet', 330],
  ['pink', 360],
];

/** What colours there are, how strong, how warm and how they go together. */
export function measureColor(rgba: Uint8Array, rgb: Uint8Array, { lightness, a, b }: Planes): Color {
  const palette = namedPalette(rgba);
  const accent = accentIn(palette);
  const score = colorfulnessOf(rgb);
  const hues = new Float64Array(360);
  let [warm, cool, neutral, chromaSum] = [0, 0, 0, 0];
  for (let at = 0; at < a.length; at += STRIDE) {
    const chroma = Math.sqrt(a[at]! * a[at]! + b[at]! * b[at]!);
    chromaSum += chroma;
    if (chroma < NEUTRAL_CHROMA) {
      neutral++;
      continue;
    }
    const hue = ((Math.atan2(b[at]!, a[at]!) * 180) / Math.PI + 360) % 360;
    hues[Math.floor(hue) % 360]! += chroma;
    if (hue >= 345 || hue < (lightness[at]! < OLIVE.below ? OLIVE.hue : YELLOW)) warm++;
    else if (hue >= 165 && hue < 300) cool++;
  }
  const looked = Math.ceil(a.length / STRIDE);
  const shares = { warm: warm / looked, cool: cool / looked, neutral: neutral / looked };
  return {
    palette,
    ...(accent && { accent }),
    colorfulness: colorfulnessName(score),
    colorfulnessScore: score,
    meanChroma: chromaSum / looked,
    ...shares,
    temperature: temperatureOf(shares),
    harmony: harmonyOf(hues, shares.neutral),
    hues: huesIn(hues, shares.neutral),
  };
}

function namedPalette(rgba: Uint8Array): NamedColor[] {
  const swatches = paletteOfPixels(rgba, PALETTE_COLORS);
  const shares = roundShares(swatches.map(({ share }) => share));
  return swatches.map(({ color }, index) => ({
    hex: hexOf(color),
    name: plainColorName(color),
    share: shares[index]!,
    chroma: chromaOf(color),
  }));
}

const chromaOf = (color: number): number => {
  const [, a, b] = oklabOf(color >> 16, (color >> 8) & 255, color & 255);
  return Math.hypot(a, b);
};

function accentIn(palette: readonly NamedColor[]): NamedColor | undefined {
  const vivid = palette.reduce((best, color) => (color.chroma > best.chroma ? color : best));
  const others = palette.filter((color) => color !== vivid);
  const weight = others.reduce((sum, { share }) => sum + share, 0);
  const around = others.reduce((sum, { chroma, share }) => sum + chroma * share, 0) / Math.max(1, weight);
  const isAccent =
    vivid.share <= ACCENT.shareMax &&
    vivid.chroma >= ACCENT.chromaMin &&
    vivid.chroma > ACCENT.aboveOthers * around;
  return isAccent ? vivid : undefined;
}

/** Source: Hasler and Süsstrunk, "Measuring colourfulness in natural images", 2003: M3 of sRGB samples. */
function colorfulnessOf(rgb: Uint8Array): number {
  const count = rgb.length / 3;
  let [sumRg, sumYb, squareRg, squareYb] = [0, 0, 0, 0];
  for (let at = 0; at < rgb.length; at += 3) {
    const rg = rgb[at]! - rgb[at + 1]!;
    const yb = (rgb[at]! + rgb[at + 1]!) / 2 - rgb[at + 2]!;
    sumRg += rg;
    sumYb += yb;
    squareRg += rg * rg;
    squareYb += yb * yb;
  }
  const [meanRg, meanYb] = [sumRg / count, sumYb / count];
  const variance = squareRg / count - meanRg ** 2 + squareYb / count - meanYb ** 2;
  return Math.sqrt(Math.max(0, variance)) + 0.3 * Math.hypot(meanRg, meanYb);
}

/** Their verbal scale (15 slightly, 33 moderately, 45 averagely, 59 quite, 82 highly) in five words. */
function colorfulnessName(score: number): Color['colorfulness'] {
  if (score < 6) return 'colourless';
  if (score < 24) return 'muted';
  if (score < 45) return 'moderately colourful';
  return score < 70 ? 'colourful' : 'vivid';
}

function temperatureOf({ warm, cool, neutral }: Pick<Color, 'warm' | 'cool' | 'neutral'>) {
  if (neutral > 0.85) return 'neutral';
  if (warm > 2 * cool && warm > 0.2) return 'warm';
  return cool > 2 * warm && cool > 0.2 ? 'cool' : 'mixed';
}

function huesIn(hues: Float64Array, neutral: number): string[] {
  if (neutral > 0.97) return [];
  const sums = new Map<string, number>();
  let total = 0;
  for (const [degree, weight] of hues.entries()) {
    const [name] = FAMILIES.find(([, end]) => degree < end)!;
    sums.set(name, (sums.get(name) ?? 0) + weight);
    total += weight;
  }
  return [...sums]
    .filter(([, sum]) => sum > 0.08 * total)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name);
}
