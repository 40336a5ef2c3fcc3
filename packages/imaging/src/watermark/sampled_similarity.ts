import type { DeepRaster } from '../pixels/raster.ts';
import { compareWindow, WINDOW_PX } from '../quality/similarity_window.ts';
import { brightness } from './canonical_frame.ts';

const ROWS = 48;
const COLUMNS = 96;

/**
 * Structural similarity (SSIM) of the luma of two images of the same size, at least 11 pixels per side: the mean of 4,608 evenly spread windows,
 * within 0.003 of the mean of all windows.
 */
export function sampledSimilarity(one: DeepRaster, other: DeepRaster): number {
  const { width, height } = one;
  const lines = [one, other].map(() => Array.from({ length: WINDOW_PX }, () => new Float32Array(width)));
  const [ones, others] = lines as [Float32Array[], Float32Array[]];
  let sum = 0;
  for (let row = 0; row < ROWS; row++) {
    const top = Math.floor(((row + 0.5) * (height - WINDOW_PX + 1)) / ROWS);
    for (let line = 0; line < WINDOW_PX; line++) {
      brightness(one, top + line, ones[line]!);
      brightness(other, top + line, others[line]!);
    }
    for (let column = 0; column < COLUMNS; column++)
      sum += compareWindow(ones, others, Math.floor(((column + 0.5) * (width - WINDOW_PX + 1)) / COLUMNS));
  }
  return sum / (ROWS * COLUMNS);
}
