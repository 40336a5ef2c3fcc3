import type { Sharp } from 'sharp';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Quality } from '../quality/contract.ts';
import { keptColors } from '../quality/kept_colors.ts';
import { sheetOfTiles, tilesOf } from '../quality/tiles.ts';

const TILES = 1024;

/**
 * Whether a cut-out has the colours of the picture, told from tiles that are saved as it is saved. Undefined where it was laid on a
 * colour, is a mask, or kept too little.
 */
export async function keptQuality(
  picture: Raster,
  cutOut: Raster,
  save: (pixels: Sharp) => Sharp,
): Promise<Quality | undefined> {
  if (cutOut.channels !== 4) return undefined;
  const tiles = tilesOf(picture, TILES);
  const { sheet, tiles: laid } = sheetOfTiles(cutOut, tiles);
  const { data, ...raw } = sheet;
  const saved = await decodeRaster(sharp(await save(sharp(data, { raw })).toBuffer()));
  const colors = keptColors(sheetOfTiles(picture, tiles).sheet, saved, laid);
  return colors && { compared_at: 'source_size', ...colors };
}
