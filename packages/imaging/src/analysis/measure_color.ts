import { hexOf } from '../palette/css_colors.ts';
import { nearestName } from '../palette/nearest_name.ts';
import { paletteOfPixels } from '../palette/palette_of_pixels.ts';
import { roundShares } from '../palette/round_shares.ts';
import { oklabOf } from '../pixels/oklab.ts';
import type { Planes } from './planes.ts';

interface Harmony {
  readonly scheme:
    | 'achromatic'
    | 'one hue'
    | 'neighbouring hues'
    | 'complementary hues'
    | 'a main hue with a complementary accent'
    | 'two opposed families of hue'
    | 'half the colour circle'
    | 'hues all around the circle';
  /** Share of all colour within the scheme, 0 to 1. */
  readonly fit: number;
}

/** Sectors in degrees: offset of their centre from that of the first one, and width. */
interface Template {
  readonly scheme: Harmony['scheme'];
  readonly sectors: readonly { readonly at: number; readonly width: number }[];
}

/**
 * Simplest first. Source: Cohen-Or and others, "Color harmonization", 2006, after Matsuda's templates i, V, I, Y, X and T. Their sectors of 18° are
 * 36° here: OKLCh spreads one painted hue wider than HSV does.
 */
const TEMPLATES: readonly Template[] = [
  { scheme: 'one hue', sectors: [{ at: 0, width: 36 }] },
  { scheme: 'neighbouring hues', sectors: [{ at: 0, width: 94 }] },
  {
    scheme: 'complementary hues',
    sectors: [
      { at: 0, width: 36 },
      { at: 180, width: 36 },
    ],
  },
  {
    scheme: 'a main hue with a complementary accent',
    sectors: [
      { at: 0, width: 94 },
      { at: 180, width: 36 },
    ],
  },
  {
    scheme: 'two opposed families of hue',
    sectors: [
      { at: 0, width: 94 },
      { at: 180, width: 94 },
    ],
  },
  { scheme: 'half the colour circle', sectors: [{ at: 0, width: 180 }] },
];
const COVERED = 0.9;

/** The simplest scheme that covers nine tenths of the colour. @param hues colour per degree of hue @param neutral share of the image without hue */
function harmonyOf(hues: Float64Array, neutral: number): Harmony {
  const total = hues.reduce((sum, weight) => sum + weight, 0);
  if (neutral > 0.97 || total === 0) return { scheme: 'achromatic', fit: Math.max(neutral, 0.97) };
  for (const template of TEMPLATES) {
    const fit = bestFit(hues, template) / total;
    // Two sectors filled by one hue are not a scheme of two.
    if (fit >= COVERED && holdsAll(hues, template, total)) return { scheme: template.scheme, fit };
  }
  return { scheme: 'hues all around the circle', fit: 1 };
}

function bestFit(hues: Float64Array, template: Template): number {
  return Math.max(...turns.map((turn) => sums(hues, template, turn).reduce((sum, part) => sum + part, 0)));
}

/** Whether each sector at the best rotation has at least a twentieth of the colour. */
function holdsAll(hues: Float64Array, template: Template, total: number): boolean {
  return turns
    .map((turn) => sums(hues, template, turn))
    .some(
      (parts) =>
        parts.every((part) => part > 0.05 * total) &&
        parts.reduce((sum, part) => sum + part, 0) >= COVERED * total,
    );
}

const turns = Array.from({ length: 72 }, (_, index) => 5 * index);

/** Colour in each sector of a template rotated by `turn` degrees. */
function sums(hues: Float64Array, { sectors }: Template, turn: number): number[] {
  return sectors.map(({ at, width }) => {
    let sum = 0;
    for (let degree = 0; degree < width; degree++)
      sum += hues[(((Math.round(turn + at - width / 2) + degree) % 360) + 360) % 360]!;
    return sum;
  });
}

/**
 * Reference colours of the names. Most vivid ones follow the colour survey of xkcd (2010, 222,500 people, CC0); muted ones, which are common in
 * paintings and photographs but rare in the survey, are interpolated between their neighbours in it. One name may have several references.
 */
const NAMES = `
e50000 red, ff000d bright red, 840000 dark red, 8f1402 brick red, aa2704 rust red, b9484e dusty red, d9544d pale red,
a03e3a brick red, bb3350 crimson, 8c000f crimson, 650021 maroon, 7a1f33 burgundy, fd411e orange red, c8403a red, ff5050 light red,
ff81c0 pink, ffc4d2 light pink, f6dadd pale pink, cb416b dark pink, ff028d hot pink, cb0162 deep pink, d58a94 dusty pink,
fe7b7c salmon pink, f7879a rose pink, fe01b1 bright pink, c20078 magenta, ff5577 bright pink, ee55cc bright pink, c0508a dark pink, e6a8c4 light pink,
e0489a deep pink, e8c8d8 pale pink, ff99ee light pink, f8a5c8 light pink, d070b0 dusty pink,
f97306 orange, ff5b00 bright orange, c65102 dark orange, fdaa48 light orange, ffbf80 pale orange, d8863b dull orange,
fcb001 yellow orange, ffb07c peach, f5cfb4 pale peach, ff8a60 light orange, cc6636 burnt orange, e28a55 dull orange, ee7722 orange,
653700 brown, 341c02 dark brown, ad8150 light brown, b1916e light brown, 7f2b0a reddish brown, b27a01 golden brown,
be6400 orange brown, 9b7a01 yellow-brown, d1b26f tan, af884a tan, 645403 olive brown, 964e02 brown, 6b4a33 brown, 8a6242 brown,
7d5245 reddish brown, 5a2f26 reddish brown, 3b2a20 dark brown, 4c3a2c dark brown, 241a14 brown-black, 857058 greyish brown,
665744 greyish brown, a58d74 greyish brown, b0806f pinkish brown, c9a079 light brown, 8a7a62 greyish brown, 4a423a dark greyish brown,
f5e12a yellow, ffff14 yellow, ffff84 pale yellow, f7ee9c pale yellow, fffe7a light yellow, d5b60a dark yellow, fec615 golden yellow, d2bd0a mustard yellow,
bf9005 ochre, c08f3f ochre, eecf7a buff, fff2cf cream, f3e6d2 cream, e6daa6 beige, d8c8a8 beige, cdb999 beige, e3d5bf beige, c9c29a pale khaki, aaa662 khaki,
e0b040 golden yellow, b5a030 mustard yellow, fbf3dc ivory, d8e040 greenish yellow,
15b01a green, 033500 dark green, 96f97b light green, c7fdb5 pale green, d8ecd0 pale green, 01ff07 bright green, 89fe05 lime green,
b8e02d yellow-green, 98b83c yellow-green, 677a04 olive green, 83843c olive green, 6e6b34 olive green, 3c4d03 dark olive green, 4a4a22 dark olive green,
33351c dark olive green, 658b38 moss green, 55663a moss green, 06470c forest green, 2f5a2e forest green, 3f9b0b grass green, 7fae4a grass green,
789b73 greyish green, 8a9a7c greyish green, 96a082 sage green, afc0a0 sage green, 53fca1 sea green, 3faf7c sea green, 9af0bd mint green,
c8ecd9 pale green, 11875d sea green, 137e6d blue-green, 00656b teal, 029386 teal, 014d4e dark teal, 06c2ac turquoise, 7fe0d0 light turquoise, 62b8b4 turquoise,
5a6b53 greyish green, 6f7f68 greyish green, 3c4a38 dark greyish green, 2c4a3c dark green, 1d2b1f green-black, 4a6a5a dark greyish green,
4f7f6a blue-green, 7ea798 greyish green, 557a78 greyish teal, 486e6e greyish teal, 3f5553 dark greyish teal, 223636 dark teal, a8c8be pale blue-green, d2ebe2 pale blue-green,
0343df blue, 00035b dark blue, 1a2a6c dark blue, 95d0fc light blue, c4e4f8 pale blue, d5e2ee pale blue, 0165fc bright blue, 75bbfd sky blue,
001146 navy blue, 1c2b4a navy blue, 0504aa royal blue, 5b7c99 steel blue, 4a7f9f steel blue, 6b8ba4 greyish blue, 8497a8 greyish blue, 29465b dark greyish blue,
3c4a60 dark greyish blue, 4a5c72 greyish blue, a4bacd light greyish blue, 5a86ad dusty blue, 5170d7 cornflower blue, 3a55b0 cobalt blue,
00f0f0 cyan, b0f4f4 pale cyan, 01889f teal blue, 607c8e greyish blue, 1b2430 blue-black, 0f1626 blue-black, 06b1c4 turquoise blue, 55b8d0 light blue,
7799dd light blue, 4444cc blue, 5f6fc0 periwinkle blue, 9fb0e8 light blue, 46628a dusty blue, 3e4163 dark dusty blue, 5a5f8a dusty blue,
7e1e9c purple, 35063e dark purple, bf77f6 light purple, b790d4 light purple, be03fd bright purple, 9a0eea violet, 7744ee violet, c79fef lavender, dcd0ec pale lavender,
e4c8f4 pale lavender, b09ad0 lavender, 825f87 dusty purple, 887191 greyish purple, 3d0734 aubergine, 703be7 violet, 380282 indigo, 4b2a8a indigo, a070a8 dusty purple,
6c3461 plum, 54385a dark dusty purple, 3b2d44 aubergine, 6a5acd violet, 8e82fe periwinkle blue, 9030b0 purple, dd66ff light purple, c040e0 bright purple, cc88dd light purple,
ae7181 mauve, 8f6b78 mauve, b79aae mauve, 874c62 dark mauve, 63455a dark mauve, 3e2a32 purple-brown, a03070 plum, 7766dd violet, 5a3a9a violet, 8a7ab0 dusty purple, 574663 dark dusty purple, aa66aa dusty purple,
000000 black, 101010 black, 262626 charcoal grey, 3a3a3a charcoal grey, 555555 dark grey, 6a6a6a dark grey, 828282 grey, 9a9a9a grey, b4b4b4 light grey,
cccccc light grey, e0e0e0 pale grey, f0f0f0 off-white, f6f4f0 off-white, ffffff white, 938d85 warm grey, b5aea4 warm grey, 736d66 warm grey, 55504b dark grey,
7d8790 cool grey, a5aeb6 cool grey, 586068 slate grey, 444c55 slate grey, 2c3036 charcoal grey, d2d6da pale grey, 332f2c charcoal grey, 161412 black, dcd8d0 pale grey,
77ee99 mint green, ff77ff bright pink, 9a8846 yellow-brown, bcbb5a light olive green, ee5566 light red, d84414 orange red, 8f8c60 khaki, cbb65b mustard yellow, c9d96f yellow-green, 2f3f39 dark greyish green,
6a8556 moss green, b3a48c beige, 284b7c dark blue, 4080ba blue
`;

/** Chroma (OKLab) from which a colour has a perceptible hue, in the middle of the scale and near black, where hue is hardly visible. */
const HUE_CHROMA = { inTheMiddle: 0.032, inTheDark: 0.05 };
/** OKLab lightness below which a colour counts as dark. */
const DARK = 0.22;

/**
 * Common name of an 8-bit sRGB colour, 0xRRGGBB: the nearest of `NAMES`. Standard names ("linen", "gainsboro") are often names of materials, which
 * would be misleading for an artwork. Colours with a clear hue are never called grey, black or white.
 */
export const plainColorName = nearestName({
  names: NAMES,
  neutralChroma: 0.018,
  hueChromaAt: (lightness) => (lightness < DARK ? HUE_CHROMA.inTheDark : HUE_CHROMA.inTheMiddle),
});

export interface NamedColor {
  readonly hex: string;
  readonly name: string;
  /** Percent of the image, one decimal. */
  readonly share: number;
  /** OKLab chroma; above 0.1 a colour looks vivid. */
  readonly chroma: number;
}

export interface Color {
  /** Largest share first. */
  readonly palette: readonly NamedColor[];
  /** The most vivid colour of a small area in less vivid surroundings. */
  readonly accent?: NamedColor;
  readonly colorfulness: 'colourless' | 'muted' | 'moderately colourful' | 'colourful' | 'vivid';
  /** Hasler and Süsstrunk's M3. */
  readonly colorfulnessScore: number;
  readonly meanChroma: number;
  /** Shares of the image with a hue from red to yellow, from green-blue to violet-blue, and with hardly any hue. */
  readonly warm: number;
  readonly cool: number;
  readonly neutral: number;
  readonly temperature: 'warm' | 'cool' | 'mixed' | 'neutral';
  readonly harmony: Harmony;
  /** Hue families with at least 8 percent of all colour, strongest first. */
  readonly hues: readonly string[];
  /** Share of the image that may be called by each basic colour, 0 to 1; ranges overlap. */
  readonly basic: Readonly<Record<BasicColor, number>>;
}

/** Sampling step in pixels: hues of single pixels, not of means. */
const STRIDE = 5;
const PALETTE_COLORS = 6;
const NEUTRAL_CHROMA = 0.025;
const ACCENT = { shareMax: 12, chromaMin: 0.12, aboveOthers: 1.6 };
/** OKLCh hue in degrees up to which yellow counts as warm, and the limit below this L*, where yellow looks olive green. */
const YELLOW = 112;
const OLIVE = { below: 55, hue: 95 };
/** OKLCh hue in degrees at the end of each family. */
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

/** Measures palette, colourfulness, temperature and harmony. */
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
    basic: basicShares({ lightness, a, b }),
  };
}

export const BASIC_COLORS = [
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'brown',
  'black',
  'white',
  'grey',
] as const;
export type BasicColor = (typeof BASIC_COLORS)[number];

/**
 * Whether a basic name may describe a colour. Ranges are wide and overlap, because surroundings affect perception: only a colour outside all ranges
 * of a name is certainly absent.
 * @param hue OKLCh, degrees @param chroma OKLab @param light L*
 */
const MAY_BE: Record<BasicColor, (hue: number, chroma: number, light: number) => boolean> = {
  red: (hue, chroma) => chroma > 0.05 && (hue > 345 || hue < 50),
  orange: (hue, chroma, light) => chroma > 0.05 && hue > 30 && hue < 90 && light > 35,
  yellow: (hue, chroma, light) => chroma > 0.04 && hue > 65 && hue < 130 && light > 45,
  green: (hue, chroma) => chroma > 0.025 && hue > 100 && hue < 200,
  blue: (hue, chroma) => chroma > 0.02 && hue > 180 && hue < 305,
  purple: (hue, chroma) => chroma > 0.03 && hue > 270 && hue < 360,
  pink: (hue, chroma, light) => chroma > 0.025 && (hue > 310 || hue < 45) && light > 45,
  brown: (hue, chroma, light) => chroma > 0.015 && hue > 20 && hue < 115 && light < 72,
  black: (_hue, chroma, light) => light < 30 && chroma < 0.08,
  white: (_hue, chroma, light) => light > 72 && chroma < 0.06,
  grey: (_hue, chroma, light) => chroma < 0.04 && light > 15 && light < 92,
};

function basicShares({ lightness, a, b }: Pick<Planes, 'lightness' | 'a' | 'b'>): Color['basic'] {
  const counts = BASIC_COLORS.map(() => 0);
  for (let at = 0; at < a.length; at++) {
    const chroma = Math.hypot(a[at]!, b[at]!);
    const hue = ((Math.atan2(b[at]!, a[at]!) * 180) / Math.PI + 360) % 360;
    for (const [index, name] of BASIC_COLORS.entries())
      if (MAY_BE[name](hue, chroma, lightness[at]!)) counts[index]!++;
  }
  const shares = BASIC_COLORS.map((name, index) => [name, counts[index]! / a.length] as const);
  return Object.fromEntries(shares) as Color['basic'];
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

/** Their verbal scale (15 slightly, 33 moderately, 45 averagely, 59 quite, 82 highly), reduced to five terms. */
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
