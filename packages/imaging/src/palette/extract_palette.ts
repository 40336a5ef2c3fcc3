import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { COUNTED_PIXELS_MAX } from './color_cells.ts';
import { colorName } from './color_names.ts';
import { type Hsl, hexOf, hslOf } from './css_colors.ts';
import { type Harmony, harmonyOf } from './harmony.ts';
import { paletteOfPixels } from './palette_of_pixels.ts';
import { roundShares } from './round_shares.ts';
import type { Swatch } from './swatch.ts';
import { type SheetType, swatchSheet } from './swatch_sheet.ts';
import { type PaletteFile, writePalette } from './write_palette.ts';

export interface Palette {
  /** Absent for a picture of greys. */
  readonly harmony?: Harmony;
  /** A PNG, where it was asked for. */
  readonly swatchSheet?: Uint8Array;
  /** The colours for other programs, where that was asked for. */
  readonly file?: Uint8Array;
  /** The largest share first; at most as many as asked for. */
  readonly colors: readonly PaletteColor[];
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'oklab-palette', version: '1' } as const;

/** Percentages have one decimal; all add up to 100.0. */
export interface PaletteColor extends Swatch {
  readonly hsl: Hsl;
}

export interface PaletteRequest {
  readonly bytes: Uint8Array;
  readonly colors: number;
  /** With it the answer has a sheet to look at. */
  readonly sheetType?: SheetType;
  readonly file?: PaletteFile | undefined;
}

/**
 * The main colours of a picture in sRGB. Fewer than `colors` come back where it has fewer, or where they would look alike.
 * @throws EngineError unsuitable_image (nothing visible), undecodable_image, image_too_large
 */
export async function extractPalette({ bytes, colors, sheetType, file }: PaletteRequest): Promise<Palette> {
  const swatches = paletteOfPixels(await readPixels(bytes), colors);
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
    ...(harmony && { harmony }),
    ...(sheetType && { swatchSheet: await swatchSheet(found, sheetType) }),
    ...(file && { file: writePalette(found, file) }),
    engine: ENGINE,
  };
}

/**
 * All pixels, or of a larger picture an even sample taken without mixing neighbours, so that flat colours stay the very
 * same values.
 */
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
