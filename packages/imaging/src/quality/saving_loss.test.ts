import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import { compareTiles } from './compare_tiles.ts';
import { savingLoss } from './saving_loss.ts';
import { sheetOfTiles, tilesOf } from './tiles.ts';

const picture: Raster = {
  width: 400,
  height: 300,
  channels: 3,
  data: Uint8Array.from(
    { length: 400 * 300 * 3 },
    (_, at) => 128 + 90 * Math.sin(at / 50) + ((at * 7919) % 31),
  ),
};

/** Loss of the same tiles within the full image after encoding. */
async function lossInWhole(save: (pixels: Sharp) => Sharp) {
  const { data, ...raw } = picture;
  const saved = await decodeRaster(sharp(await save(sharp(data, { raw })).toBuffer()));
  const tiles = tilesOf(picture, 48);
  const [ones, others] = [sheetOfTiles(picture, tiles), sheetOfTiles(saved, tiles)];
  return compareTiles(ones.sheet, others.sheet, ones.tiles);
}

test.each([
  ['4:4:4', 95],
  ['4:4:4', 40],
  ['4:2:0', 80],
])(
  'the loss in tiles of a JPEG (%s, quality %i) equals that of the full image',
  async (chromaSubsampling, quality) => {
    const save = (pixels: Sharp) => pixels.jpeg({ quality, chromaSubsampling, optimizeCoding: false });
    expect(await savingLoss(picture, save)).toEqual(await lossInWhole(save));
  },
);

test('the loss in tiles of a WebP is close to that of the full image', async () => {
  const save = (pixels: Sharp) => pixels.webp({ quality: 80, effort: 2 });
  const [told, whole] = [await savingLoss(picture, save), await lossInWhole(save)];
  expect(Math.abs(told.psnr_db - whole.psnr_db)).toBeLessThan(1.5);
});

test('lower quality increases the loss', async () => {
  const at = (quality: number) => savingLoss(picture, (pixels) => pixels.jpeg({ quality }));
  const [good, bad] = [await at(95), await at(30)];
  expect(good.psnr_db).toBeGreaterThan(bad.psnr_db + 1);
  expect(good.delta_e00_mean).toBeLessThan(bad.delta_e00_mean);
});
