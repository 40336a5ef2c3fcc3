import type { Sharp } from 'sharp';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import { compareTiles, type Sameness } from './compare_tiles.ts';
import { sheetOfTiles, tilesOf } from './tiles.ts';

/** Opening a small picture costs as much as resizing to a small one may at all: more tiles would be felt, fewer would tell too little. */
const TILES = 48;

/**
 * What saving does to a picture, told from 48 tiles of it that are saved in the same way and opened again: in JPEG to the last bit
 * what becomes of them in the whole, for its blocks know nothing of each other.
 * @param save opens nothing, and gives a file of what it gets
 */
export async function savingLoss(raster: Raster, save: (picture: Sharp) => Sharp): Promise<Sameness> {
  const { sheet, tiles } = sheetOfTiles(raster, tilesOf(raster, TILES));
  const { data, ...raw } = sheet;
  const saved = await save(sharp(data, { raw })).toBuffer();
  return compareTiles(sheet, await decodeRaster(sharp(saved)), tiles);
}
