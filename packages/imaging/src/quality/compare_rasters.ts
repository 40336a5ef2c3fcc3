import type { DeepRaster } from '../pixels/raster.ts';
import { compareTiles, type Sameness } from './compare_tiles.ts';
import { sheetOfTiles, tilesOf } from './tiles.ts';

/** A quarter of a million pixels: all of a picture of 512 × 512. */
const TILES = 1024;

/** How alike two pictures of one size are, in 8 or 16 bits: measured on 1024 tiles spread over them, or on all there are. */
export function compareRasters(one: DeepRaster, other: DeepRaster): Sameness {
  const tiles = tilesOf(one, TILES);
  const [ones, others] = [sheetOfTiles(one, tiles), sheetOfTiles(other, tiles)];
  return compareTiles(ones.sheet, others.sheet, ones.tiles);
}
