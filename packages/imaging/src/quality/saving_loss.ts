import type { Sharp } from 'sharp';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import { compareTiles, type SimilarityMetrics } from './compare_tiles.ts';
import { sheetOfTiles, tilesOf } from './tiles.ts';

/** Encoding a small image must cost no more than resizing to a small one: more tiles would be noticeable, fewer too inaccurate. */
const TILES = 48;

/**
 * Measures encoding loss on 48 tiles that are encoded the same way and decoded again. For JPEG this is bit-exact, because its blocks are
 * independent.
 * @param save returns the encoded file of its input
 */
export async function savingLoss(
  raster: Raster,
  save: (picture: Sharp) => Sharp,
): Promise<SimilarityMetrics> {
  const { sheet, tiles } = sheetOfTiles(raster, tilesOf(raster, TILES));
  const { data, ...raw } = sheet;
  const saved = await save(sharp(data, { raw })).toBuffer();
  return compareTiles(sheet, await decodeRaster(sharp(saved)), tiles);
}
