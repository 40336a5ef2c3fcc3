import type { DeepRaster } from '../pixels/raster.ts';
import { compareTiles, type SimilarityMetrics } from './compare_tiles.ts';
import { sheetOfTiles, tilesOf } from './tiles.ts';

/** A quarter of a million pixels: all of a 512 × 512 image. */
const TILES = 1024;

/**
 * Similarity of two images of the same size, at 8 or 16 bits, measured on 1,024 tiles spread over them, or all tiles if there are fewer.
 */
export function compareRasters(one: DeepRaster, other: DeepRaster): SimilarityMetrics {
  const tiles = tilesOf(one, TILES);
  const [ones, others] = [sheetOfTiles(one, tiles), sheetOfTiles(other, tiles)];
  return compareTiles(ones.sheet, others.sheet, ones.tiles);
}
