import type { DeepRaster } from '../pixels/raster.ts';
import { roundTo } from '../pixels/round_to.ts';
import { differenceAt, summarizeDifferences } from './color_difference.ts';
import { lumaRows, psnrDb, type SimilarityMetrics } from './compare_tiles.ts';
import { flattenedColors } from './flattened_colors.ts';
import { compareWindow, WINDOW_PX } from './similarity_window.ts';

/** The metrics of `compareRasters` over every pixel and every window; takes seconds per megapixel. Reference for the sampled metrics. */
export function compareWhole(one: DeepRaster, other: DeepRaster): SimilarityMetrics {
  const { width, height } = one;
  const [ones, others] = [flattenedColors(one), flattenedColors(other)];
  const rows = [lumaRows(ones, width), lumaRows(others, width)];
  let squares = 0;
  for (let at = 0; at < ones.length; at += 1) squares += (ones[at]! - others[at]!) ** 2;
  let [similarity, windows] = [0, 0];
  for (let y = 0; y + WINDOW_PX <= height; y += 1) {
    const [first, second] = rows.map((lines) => lines.slice(y, y + WINDOW_PX));
    for (let x = 0; x + WINDOW_PX <= width; x += 1, windows += 1)
      similarity += compareWindow(first!, second!, x);
  }
  const differences = Float64Array.from({ length: width * height }, (_, at) =>
    differenceAt(ones, others, at),
  );
  return {
    psnr_db: psnrDb(squares / ones.length),
    ...(windows > 0 && { ssim: roundTo(similarity / windows, 4) }),
    ...summarizeDifferences(differences),
  };
}
