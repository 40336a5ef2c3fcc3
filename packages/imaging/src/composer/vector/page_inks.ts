import { applyLink, type ColorLink } from '../../color/color_link.ts';
import type { Rgba } from '../../color/css_color.ts';
import type { Raster } from '../../pixels/raster.ts';
import type { PrintCondition } from '../../print/sheet_file.ts';

/** Conversion of page colours to inks. */
export interface PageInks {
  readonly condition: PrintCondition;
  /** For outlines, text and shadows: neutral colours use only black ink, so that small text has no colour fringes. */
  readonly drawn: ColorLink;
  /** For photographs. */
  readonly photo: ColorLink;
}

const INKS = 4;

/** Inks of a colour, 0 to 1. */
export function inksOf([red, green, blue]: Rgba, link: ColorLink): number[] {
  const samples = Uint8Array.from([red, green, blue], (value) => Math.round(255 * value));
  return [...applyLink(link, samples).subarray(0, INKS)].map((value) => value / 255);
}

/** Pixels converted at a time. */
const BAND_PIXELS = 262_144;

/** Four inks per pixel. @param raster RGB with or without alpha, which is dropped */
export function inkRaster({ width, height, channels, data }: Raster, link: ColorLink): Uint8Array {
  const inks = new Uint8Array(INKS * width * height);
  const colors = new Uint8Array(3 * BAND_PIXELS);
  for (let start = 0; start < width * height; start += BAND_PIXELS) {
    const count = Math.min(BAND_PIXELS, width * height - start);
    for (let pixel = 0; pixel < count; pixel += 1)
      for (let channel = 0; channel < 3; channel += 1)
        colors[3 * pixel + channel] = data[channels * (start + pixel) + channel]!;
    const converted = applyLink(link, colors.subarray(0, 3 * count));
    for (let pixel = 0; pixel < count; pixel += 1)
      for (let ink = 0; ink < INKS; ink += 1)
        inks[INKS * (start + pixel) + ink] = converted[link.outputs * pixel + ink]!;
  }
  return inks;
}
