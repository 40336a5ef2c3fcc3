import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { detailCrop } from './detail_crop.ts';

/** Uniform except for a chequered square. */
function paintChequers(width: number, height: number, left: number, top: number) {
  const samples = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    const isInside = x >= left && x < left + 24 && y >= top && y < top + 24;
    return isInside && (x + y) % 2 ? 255 : 40;
  });
  return sharp(samples, { raw: { width, height, channels: 3 } });
}

test.each([
  [0, 0],
  [72, 56],
  [126, 76],
])('finds detail at %i, %i', async (left, top) => {
  const crop = await detailCrop(await paintChequers(150, 100, left, top).png().toBuffer(), 32);
  expect([crop.width, crop.height, crop.data.length]).toEqual([32, 32, 32 * 32 * 3]);
  expect(crop.data.filter((sample) => sample === 255).length).toBe(24 * 12 * 3);
});

test('a smaller image is used whole, and greyscale and alpha become RGB', async () => {
  const grey = await paintChequers(20, 9, 0, 0).toColourspace('b-w').png().toBuffer();
  expect(await detailCrop(grey, 96)).toMatchObject({ left: 0, top: 0, width: 20, height: 9 });
  const clear = sharp({ create: { width: 1, height: 1, channels: 4, background: '#00000000' } });
  expect([...(await detailCrop(await clear.png().toBuffer(), 96)).data]).toEqual([128, 128, 128]);
});
