import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { sharp } from '../codecs/sharp.ts';
import { lumaOf } from '../pixels/luma.ts';
import { type Oklab, oklabOf, rgbOf } from '../pixels/oklab.ts';
import { setLine } from '../typography/set_line.ts';
import type { Typeface } from '../typography/typeface.ts';
import { COUNTED_PIXELS_MAX } from './color_cells.ts';
import { type Hsl, hexOf, hslOf } from './css_colors.ts';
import { nearestName } from './nearest_name.ts';
import { paletteOfPixels, sharesOfColors } from './palette_of_pixels.ts';
import { roundShares } from './round_shares.ts';
import { type PaletteFile, type Swatch, writePalette } from './write_palette.ts';

/** Colour harmonies of an image, as hex. */
interface Harmony {
  /** The most vivid of the large colours, whose hue the others rotate. */
  readonly base: string;
  readonly complementary: string;
  readonly analogous: readonly [string, string];
  readonly triadic: readonly [string, string];
}

interface Weighed {
  readonly rgb: { readonly r: number; readonly g: number; readonly b: number };
  readonly percentage: number;
}

/** Below this chroma a colour looks grey and has no hue to rotate. */
const CHROMA_MIN = 0.03;

/**
 * Computes harmonies by rotating the hue of one colour in OKLab, with lightness preserved and chroma reduced to the sRGB gamut. Undefined
 * for greyscale palettes.
 */
export function harmonyOf(colors: readonly Weighed[]): Harmony | undefined {
  const weighed = colors.map(({ rgb, percentage }) => {
    const lab = oklabOf(rgb.r, rgb.g, rgb.b);
    const chroma = Math.hypot(lab[1], lab[2]);
    return { lab, chroma, weight: chroma * Math.sqrt(percentage) };
  });
  const [base] = weighed
    .filter(({ chroma }) => chroma >= CHROMA_MIN)
    .sort((one, other) => other.weight - one.weight);
  if (!base) return undefined;
  const turnBase = (degrees: number): string => hexOf(fitToSrgb(turn(base.lab, degrees)));
  return {
    base: turnBase(0),
    complementary: turnBase(180),
    analogous: [turnBase(-30), turnBase(30)],
    triadic: [turnBase(120), turnBase(240)],
  };
}

function turn([lightness, a, b]: Oklab, degrees: number): Oklab {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [lightness, a * cos - b * sin, a * sin + b * cos];
}

const STEPS = 24;
/** Largest shift by clipping before chroma is reduced instead. */
const CLIPPED_MAX = 0.01;

/** A colour as 0xRRGGBB, with chroma reduced to the sRGB gamut; lightness and hue are preserved. */
function fitToSrgb([lightness, a, b]: Oklab): number {
  for (let step = STEPS; step > 0; step -= 1) {
    const wanted: Oklab = [lightness, (a * step) / STEPS, (b * step) / STEPS];
    const color = rgbOf(wanted);
    const found = oklabOf(color >> 16, (color >> 8) & 255, color & 255);
    if (Math.hypot(...wanted.map((value, axis) => value - found[axis]!)) < CLIPPED_MAX) return color;
  }
  return rgbOf([lightness, 0, 0]);
}

/** Typefaces of a swatch sheet. */
interface SheetType {
  readonly regular: Typeface;
  readonly bold: Typeface;
}

const WIDTH = 960;
const HEIGHT = 128;
const MARGIN = 36;
const NAME_PX = 34;
const DETAIL_PX = 26;
/** BT.601 luma above which text is black. */
const LIGHT_MIN = 140;

/** Renders a swatch sheet: for each colour a bar with its name, value and share. @returns a PNG */
async function swatchSheet(colors: readonly Swatch[], type: SheetType): Promise<Uint8Array> {
  const data = Buffer.alloc(WIDTH * HEIGHT * colors.length * 3);
  for (const [index, { hex, rgb, percentage, name }] of colors.entries()) {
    const bar = data.subarray(index * WIDTH * HEIGHT * 3, (index + 1) * WIDTH * HEIGHT * 3);
    for (let at = 0; at < bar.length; at += 3) bar.set([rgb.r, rgb.g, rgb.b], at);
    const ink = lumaOf(rgb.r, rgb.g, rgb.b) > LIGHT_MIN ? 0 : 255;
    const share = setLine(shareText(percentage), type.bold, NAME_PX);
    const label = setLine(name.charAt(0).toUpperCase() + name.slice(1), type.bold, NAME_PX);
    const value = setLine(hex, type.regular, DETAIL_PX);
    lay(bar, label, { left: MARGIN, top: HEIGHT / 2 - label.height, ink });
    lay(bar, value, { left: MARGIN, top: HEIGHT / 2 + 4, ink });
    lay(bar, share, { left: WIDTH - MARGIN - share.width, top: (HEIGHT - share.height) / 2, ink });
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT * colors.length, channels: 3 } })
    .png()
    .toBuffer();
}

/** "23.4%", "60%", "under 0.1%". */
const shareText = (percentage: number): string =>
  percentage < 0.1 ? 'under 0.1%' : `${Number(percentage.toFixed(1))}%`;

interface Place {
  readonly left: number;
  readonly top: number;
  readonly ink: number;
}

/** Draws text over a bar with antialiasing; text beyond the bar's width is clipped. */
function lay(bar: Uint8Array, text: ReturnType<typeof setLine>, { left, top, ink }: Place): void {
  const [x0, y0] = [Math.round(left), Math.round(top)];
  for (let y = 0; y < text.height; y += 1)
    for (let x = 0; x < Math.min(text.width, WIDTH - x0); x += 1) {
      const cover = text.data[y * text.width + x]! / 255;
      const at = 3 * ((y + y0) * WIDTH + x + x0);
      if (cover > 0)
        for (let channel = at; channel < at + 3; channel += 1)
          bar[channel] = Math.round(bar[channel]! + cover * (ink - bar[channel]!));
    }
}

/**
 * CSS named colours with spaces between words and without duplicates; CSS "darkgray", which is lighter than its "gray", is replaced by a
 * dark grey. The last lines are tones that are common in paintings and photographs but have no CSS name.
 */
const NAMES = `
f0f8ff alice blue, faebd7 antique white, 7fffd4 aquamarine, f0ffff azure, f5f5dc beige,
ffe4c4 bisque, 000000 black, ffebcd blanched almond, 0000ff blue, 8a2be2 blue violet, a52a2a brown,
deb887 burlywood, 5f9ea0 cadet blue, 7fff00 chartreuse, d2691e chocolate, ff7f50 coral,
6495ed cornflower blue, fff8dc cornsilk, dc143c crimson, 00ffff cyan, 00008b dark blue,
008b8b dark cyan, b8860b dark goldenrod, 006400 dark green, bdb76b dark khaki,
8b008b dark magenta, 556b2f dark olive green, ff8c00 dark orange, 9932cc dark orchid,
8b0000 dark red, e9967a dark salmon, 8fbc8f dark sea green, 483d8b dark slate blue,
2f4f4f dark slate grey, 00ced1 dark turquoise, 9400d3 dark violet, ff1493 deep pink,
00bfff deep sky blue, 696969 dim grey, 1e90ff dodger blue, b22222 firebrick, fffaf0 floral white,
228b22 forest green, dcdcdc gainsboro, f8f8ff ghost white, ffd700 gold, daa520 goldenrod,
008000 green, adff2f green yellow, 808080 grey, f0fff0 honeydew, ff69b4 hot pink,
cd5c5c indian red, 4b0082 indigo, fffff0 ivory, f0e68c khaki, e6e6fa lavender,
fff0f5 lavender blush, 7cfc00 lawn green, fffacd lemon chiffon, add8e6 light blue,
f08080 light coral, e0ffff light cyan, fafad2 light goldenrod yellow, 90ee90 light green,
d3d3d3 light grey, ffb6c1 light pink, ffa07a light salmon, 20b2aa light sea green,
87cefa light sky blue, 778899 light slate grey, b0c4de light steel blue, ffffe0 light yellow,
00ff00 lime, 32cd32 lime green, faf0e6 linen, ff00ff magenta, 800000 maroon,
66cdaa medium aquamarine, 0000cd medium blue, ba55d3 medium orchid, 9370db medium purple,
3cb371 medium sea green, 7b68ee medium slate blue, 00fa9a medium spring green,
48d1cc medium turquoise, c71585 medium violet red, 191970 midnight blue, f5fffa mint cream,
ffe4e1 misty rose, ffe4b5 moccasin, ffdead navajo white, 000080 navy, fdf5e6 old lace,
808000 olive, 6b8e23 olive drab, ffa500 orange, ff4500 orange red, da70d6 orchid,
eee8aa pale goldenrod, 98fb98 pale green, afeeee pale turquoise, db7093 pale violet red,
ffefd5 papaya whip, ffdab9 peach puff, cd853f peru, ffc0cb pink, dda0dd plum, b0e0e6 powder blue,
800080 purple, 663399 rebecca purple, ff0000 red, bc8f8f rosy brown, 4169e1 royal blue,
8b4513 saddle brown, fa8072 salmon, f4a460 sandy brown, 2e8b57 sea green, fff5ee seashell,
a0522d sienna, c0c0c0 silver, 87ceeb sky blue, 6a5acd slate blue, 708090 slate grey, fffafa snow,
00ff7f spring green, 4682b4 steel blue, d2b48c tan, 008080 teal, d8bfd8 thistle, ff6347 tomato,
40e0d0 turquoise, ee82ee violet, f5deb3 wheat, ffffff white, f5f5f5 white smoke, ffff00 yellow,
9acd32 yellow green,
4d4d4d dark grey, a6a6a6 ash grey, 242424 charcoal, 3b2a20 dark brown, 6b4f3a umber, 8c7b6b taupe,
b7410e rust, c68a2c ochre, d6a420 mustard, 6d1a2d burgundy, 9aa88a sage, 3f4a2c moss green,
1d2b1f blackish green, 1b2430 ink blue, a98a9b mauve, d8b59b sand, a7714f clay, 2f1b16 blackish brown,
7d8b99 blue grey, 93897c stone, c4b59d parchment, 5a6b53 fern green, c9cfd4 pale grey,
574663 dusky purple, 3b2d44 aubergine, 8a7a99 heather, 6b4d5a dusky plum, 8f6b70 dusky rose, 5c4744 cocoa,
4a5566 dusky blue, 9fb0b5 pale blue grey, 465259 steel grey, 2f3847 gunmetal, 7a6f4f khaki brown
`;

/** OKLab chroma from which a colour has a clear hue. */
const HUE_CHROMA = 0.035;

/**
 * Name of the nearest colour in `NAMES` to an 8-bit sRGB colour, 0xRRGGBB. A colour with a clear hue is never named grey, black or white.
 */
export const colorName = nearestName({ names: NAMES, neutralChroma: 0.01, hueChromaAt: () => HUE_CHROMA });

export interface Palette {
  /** Absent for a greyscale palette. */
  readonly harmony?: Harmony;
  /** A PNG, if requested. */
  readonly swatchSheet?: Uint8Array;
  /** The palette in a format of other programs, if requested. */
  readonly file?: Uint8Array;
  /** In descending order of share; at most the requested number. */
  readonly colors: readonly PaletteColor[];
  /** For several images: percentages of the colours in each, in request order. */
  readonly eachPicture?: readonly (readonly number[])[];
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'oklab-palette', version: '2' } as const;

/** Percentages have one decimal and add up to 100.0. */
export interface PaletteColor extends Swatch {
  readonly hsl: Hsl;
}

export interface PaletteRequest {
  readonly bytes: Uint8Array;
  /** Further images that contribute to the palette, each with equal weight regardless of size. */
  readonly more?: readonly Uint8Array[] | undefined;
  readonly colors: number;
  /** If given, the response includes a swatch sheet. */
  readonly sheetType?: SheetType;
  readonly file?: PaletteFile | undefined;
}

/**
 * Extracts the main sRGB colours of an image, or of several together. Returns fewer than `colors` if there are fewer or if they would look
 * alike.
 * @throws EngineError unsuitable_image (nothing visible), undecodable_image, image_too_large
 */
export async function extractPalette({
  bytes,
  more = [],
  colors,
  sheetType,
  file,
}: PaletteRequest): Promise<Palette> {
  const pictures: Uint8Array[] = [];
  if (more.length === 0) pictures.push(await readPixels(bytes));
  else for (const one of [bytes, ...more]) pictures.push(await readSample(one));
  const swatches = paletteOfPixels(pictures.length === 1 ? pictures[0]! : Buffer.concat(pictures), colors);
  const percentages = roundShares(swatches.map(({ share }) => share));
  const found = swatches.map(({ color }, index) => ({
    hex: hexOf(color),
    rgb: { r: color >> 16, g: (color >> 8) & 255, b: color & 255 },
    hsl: hslOf(color),
    percentage: percentages[index]!,
    name: colorName(color),
  }));
  const harmony = harmonyOf(found);
  return {
    colors: found,
    ...(more.length > 0 && { eachPicture: pictures.map((pixels) => percentagesIn(pixels, swatches)) }),
    ...(harmony && { harmony }),
    ...(sheetType && { swatchSheet: await swatchSheet(found, sheetType) }),
    ...(file && { file: writePalette(found, file) }),
    engine: ENGINE,
  };
}

/** All pixels, or for larger images a uniform sample without interpolation, so that flat colours keep their exact values. */
async function readPixels(bytes: Uint8Array): Promise<Uint8Array> {
  const { width, height } = readHeader(bytes);
  const picture = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  if (width * height > COUNTED_PIXELS_MAX) {
    const side = Math.max(
      1,
      Math.floor(Math.max(width, height) * Math.sqrt(COUNTED_PIXELS_MAX / (width * height))),
    );
    picture.resize({ width: side, height: side, fit: 'inside', kernel: 'nearest' });
  }
  return awaitDecoding(picture.raw({ depth: 'uchar' }).toBuffer());
}

/** Percentages of the colours in one of several images; zeros if none of it is visible. */
function percentagesIn(pixels: Uint8Array, swatches: readonly { readonly color: number }[]): number[] {
  const shares = sharesOfColors(
    pixels,
    swatches.map(({ color }) => color),
  );
  return shares.every((share) => share === 0) ? shares : roundShares(shares);
}

/** Pixels sampled from each of several images. */
const SAMPLE_PIXELS = 1 << 18;

/** Samples about the same number of pixels from an image of any size, without interpolation. */
async function readSample(bytes: Uint8Array): Promise<Uint8Array> {
  const { width, height } = readHeader(bytes);
  const side = Math.max(1, Math.round(Math.max(width, height) * Math.sqrt(SAMPLE_PIXELS / (width * height))));
  const picture = openPicture(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({
      width: Math.min(side, SIDE_MAX),
      height: Math.min(side, SIDE_MAX),
      fit: 'inside',
      kernel: 'nearest',
    });
  return awaitDecoding(picture.raw({ depth: 'uchar' }).toBuffer());
}

/** Largest side of a sample: limits the stretching of images with few rows. */
const SIDE_MAX = 4096;
