import { lumaOf } from '../pixels/luma.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { roundTo } from '../pixels/round_to.ts';
import { type ColorDifference, differenceAt, summarizeDifferences } from './color_difference.ts';
import { flattenedColors } from './flattened_colors.ts';
import { compareWindow, WINDOW_PX } from './similarity_window.ts';
import { spreadPoint } from './spread_points.ts';
import type { Tiles } from './tiles.ts';
import type { Quality } from './types.ts';

/** Reported for identical images. */
const SAME_DB = 99;

/** Peak signal-to-noise ratio in decibels for a mean squared difference of samples from 0 to 255. */
export const psnrDb = (meanSquare: number): number =>
  meanSquare === 0 ? SAME_DB : roundTo(Math.min(SAME_DB, 10 * Math.log10(255 ** 2 / meanSquare)), 2);

export type SimilarityMetrics = Required<Pick<Quality, 'psnr_db'>> & ColorDifference & Pick<Quality, 'ssim'>;

/** Colour samples per tile. */
const COLORS = 8;
const WINDOWS = 4;

/**
 * Similarity of two images in corresponding tiles, as laid out by `sheetOfTiles`. The outermost pixels of a tile are ignored, because
 * chroma subsampling mixes them with neighbouring tiles. SSIM is absent if a tile is narrower than its window.
 */
export function compareTiles(one: DeepRaster, other: DeepRaster, tiles: Tiles): SimilarityMetrics {
  const { places } = tiles;
  const [ones, others] = [flattenedColors(one), flattenedColors(other)];
  const inner = innerOf(tiles);
  const differences = new Float64Array(COLORS * places.length);
  let squares = 0;
  for (const [tile, { left, top }] of places.entries()) {
    const first = (top + inner.top) * one.width + left + inner.left;
    for (let y = 0; y < inner.height; y += 1) {
      const start = 3 * (first + y * one.width);
      for (let at = start; at < start + 3 * inner.width; at += 1) squares += (ones[at]! - others[at]!) ** 2;
    }
    for (let at = COLORS * tile; at < COLORS * (tile + 1); at += 1) {
      const [across, down] = spreadPoint(at);
      const [x, y] = [Math.floor(across * inner.width), Math.floor(down * inner.height)];
      differences[at] = differenceAt(ones, others, first + y * one.width + x);
    }
  }
  const ssim = similarityOf(lumaRows(ones, one.width), lumaRows(others, one.width), tiles);
  return {
    psnr_db: psnrDb(squares / (3 * places.length * inner.width * inner.height)),
    ...(ssim !== undefined && { ssim: roundTo(ssim, 4) }),
    ...summarizeDifferences(differences),
  };
}

/** A tile without its outermost pixels, unless it has no others. */
function innerOf({ width, height }: Tiles) {
  const [left, top] = [width, height].map((side) => (side > 2 ? 1 : 0)) as [number, number];
  return { left, top, width: width - 2 * left, height: height - 2 * top };
}

/** Mean SSIM of some windows of every tile. */
function similarityOf(
  ones: readonly Float32Array[],
  others: readonly Float32Array[],
  { width, height, places }: Tiles,
): number | undefined {
  const [across, down] = [width - WINDOW_PX + 1, height - WINDOW_PX + 1];
  if (across < 1 || down < 1) return undefined;
  let sum = 0;
  for (const [tile, { left, top }] of places.entries())
    for (let at = WINDOWS * tile; at < WINDOWS * (tile + 1); at += 1) {
      const [x, y] = spreadPoint(at);
      const row = top + Math.floor(y * down);
      const window = [ones, others].map((rows) => rows.slice(row, row + WINDOW_PX));
      sum += compareWindow(window[0]!, window[1]!, left + Math.floor(x * across));
    }
  return sum / (WINDOWS * places.length);
}

/** Luma of colours as returned by `flattenedColors`, row by row. */
export function lumaRows(seen: Float32Array, width: number): Float32Array[] {
  return Array.from({ length: seen.length / 3 / width }, (_, row) => {
    const luma = new Float32Array(width);
    for (let x = 0, at = 3 * row * width; x < width; x += 1, at += 3)
      luma[x] = lumaOf(seen[at]!, seen[at + 1]!, seen[at + 2]!);
    return luma;
  });
}
