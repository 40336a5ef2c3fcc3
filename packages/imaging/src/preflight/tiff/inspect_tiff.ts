import { sharp } from '../../codecs/sharp.ts';
import { CMYK, GRAY, RGB } from '../pdf/color_space.ts';
import { approximateRgb, inksOf, totalInk } from '../pdf/inks.ts';
import type { ImageInspection } from '../pdf/inspect_image.ts';

const SAMPLED_SIDE = 256;
const PERCENTILE = 0.999;
const PIXELS_MAX = 350_000_000;

/**
 * Inspects a subsample of the pixels of the first page of a TIFF: ink coverage and a thumbnail. Undefined if they
 * cannot be read.
 */
export async function inspectTiff(
  bytes: Uint8Array,
  photometric: number,
): Promise<ImageInspection | undefined> {
  const isCmyk = photometric === 5;
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: PIXELS_MAX,
      failOn: 'error',
      sequentialRead: true,
    })
      .pipelineColourspace(isCmyk ? 'cmyk' : 'srgb')
      .resize({
        width: SAMPLED_SIDE,
        height: SAMPLED_SIDE,
        fit: 'inside',
        kernel: 'nearest',
        withoutEnlargement: true,
      })
      .toColourspace(isCmyk ? 'cmyk' : 'srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    if (isCmyk && channels < 4) return undefined;
    const space = isCmyk ? CMYK : channels < 3 ? GRAY : RGB;
    const values = (pixel: number): number[] =>
      Array.from({ length: space.components }, (_, index) => data[pixel * channels + index]! / 255);
    const rgb = new Uint8Array(3 * width * height);
    const inks: number[] = [];
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      rgb.set(approximateRgb(space, values(pixel)), 3 * pixel);
      if (isCmyk) inks.push(totalInk(inksOf(CMYK, values(pixel))!));
    }
    inks.sort((one, other) => one - other);
    const ink = inks[Math.min(inks.length - 1, Math.floor(PERCENTILE * inks.length))];
    return { thumb: { width, height, rgb }, inkPercent: ink === undefined ? undefined : Math.round(ink) };
  } catch {
    return undefined;
  }
}
