import { hasAlpha, type Raster } from '../pixels/raster.ts';
import { type ColorDifference, differenceAt, summarizeDifferences } from './color_difference.ts';
import { flattenedColors } from './flattened_colors.ts';
import { spreadPoint } from './spread_points.ts';
import type { Tiles } from './tiles.ts';

/** Colour samples per tile. */
const COLORS = 16;
/** Fewer fully opaque pixels give no reliable figure. */
const KEPT_MIN = 32;
const OPAQUE = 255;

/**
 * Colour difference between the fully opaque pixels of a cutout and the original; at its edge, removal of the old background colour is
 * intended. Undefined if there are too few pixels.
 * @param before, after sheets of the same tiles; `after` with alpha
 */
export function opaqueColorDifference(before: Raster, after: Raster, { width, height, places }: Tiles) {
  if (!hasAlpha(after)) return undefined;
  const [ones, others] = [flattenedColors(before), flattenedColors(after)];
  const differences: number[] = [];
  for (const [tile, { left, top }] of places.entries())
    for (let at = COLORS * tile; at < COLORS * (tile + 1); at += 1) {
      const [across, down] = spreadPoint(at);
      const pixel = (top + Math.floor(down * height)) * before.width + left + Math.floor(across * width);
      if (after.data[(pixel + 1) * after.channels - 1] === OPAQUE)
        differences.push(differenceAt(ones, others, pixel));
    }
  if (differences.length < KEPT_MIN) return undefined;
  return summarizeDifferences(Float64Array.from(differences)) satisfies ColorDifference;
}
