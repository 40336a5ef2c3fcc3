import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, hasAlpha, largestSample } from '../pixels/raster.ts';

/** Unrounded RGB, 0 to 255, of every pixel of a region, flattened onto white: the values that image comparisons use. */
export function flattenedColors(
  raster: DeepRaster,
  { left, top, width, height }: Size & { readonly left: number; readonly top: number } = {
    left: 0,
    top: 0,
    width: raster.width,
    height: raster.height,
  },
): Float32Array {
  const { channels, data } = raster;
  const scale = 255 / largestSample(raster);
  const isClear = hasAlpha(raster);
  const colors = channels - (isClear ? 1 : 0);
  const [green, blue] = colors === 3 ? [1, 2] : [0, 0];
  const seen = new Float32Array(3 * width * height);
  for (let row = 0, at = 0; row < height; row += 1) {
    const start = ((top + row) * raster.width + left) * channels;
    for (let from = start; from < start + width * channels; from += channels, at += 3) {
      const paper = isClear ? 255 - scale * data[from + colors]! : 0;
      const share = (scale * (255 - paper)) / 255;
      seen[at] = paper + share * data[from]!;
      seen[at + 1] = paper + share * data[from + green]!;
      seen[at + 2] = paper + share * data[from + blue]!;
    }
  }
  return seen;
}
