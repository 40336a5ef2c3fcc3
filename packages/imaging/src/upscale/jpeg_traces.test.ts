import { expect, test } from 'vitest';
import { cloudyPicture } from '../../../../tests/support/cloudy_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { lumaPlane } from '../pixels/luma.ts';
import type { Raster } from '../pixels/raster.ts';
import { findJpegTraces } from './jpeg_traces.ts';

const cloud = await cloudyPicture(256);
const tracesIn = (raster: Raster) => findJpegTraces(lumaPlane(raster).data, raster);
const decode = (bytes: Uint8Array) => decodeRaster(sharp(bytes).toColourspace('srgb'));

test.each([30, 60, 75, 85, 90])(
  'a JPEG of quality %i is detected in its pixels, with a grid shifted by cropping',
  async (quality) => {
    const jpeg = await sharp(cloud).jpeg({ quality }).toBuffer();
    const cropped = sharp(jpeg).extract({ left: 3, top: 6, width: 200, height: 180 });

    const traces = tracesIn(await decode(await cropped.png().toBuffer()));

    expect(traces).toMatchObject({ left: 5, top: 2 });
    expect(Math.abs(traces!.quality - quality)).toBeLessThanOrEqual(4);
  },
);

test('a JPEG re-saved at higher quality shows the lower quality', async () => {
  const coarse = await sharp(cloud).jpeg({ quality: 60 }).toBuffer();
  const fine = await sharp(coarse).jpeg({ quality: 96 }).toBuffer();
  expect(Math.abs(tracesIn(await decode(fine))!.quality - 60)).toBeLessThanOrEqual(4);
});

test('an uncompressed image or a resized JPEG shows no block grid', async () => {
  expect(tracesIn(await decode(cloud))).toBeUndefined();
  const jpeg = await sharp(cloud).jpeg({ quality: 60 }).toBuffer();
  expect(tracesIn(await decode(await sharp(jpeg).resize(190).png().toBuffer()))).toBeUndefined();
});

const drawn = (level: (x: number, y: number) => number): Raster => ({
  width: 128,
  height: 128,
  channels: 3,
  data: Uint8Array.from({ length: 128 * 128 * 3 }, (_, at) =>
    level(Math.floor(at / 3) % 128, Math.floor(at / 3 / 128)),
  ),
});
const dice = (x: number, y: number) => ((x * 7919 + y * 104_729) ^ (x * y * 31)) & 3;

test.each([
  ['squares of 8 pixels', drawn((x, y) => (((x >> 3) + (y >> 3)) % 2 ? 220 : 30))],
  ['pixel art scaled 8 times', drawn((x, y) => [10, 80, 160, 240][dice(x >> 3, y >> 3)]!)],
  ['pixel art scaled 4 times', drawn((x, y) => [10, 80, 160, 240][dice(x >> 2, y >> 2)]!)],
  ['a gradient', drawn((x) => 2 * x)],
  ['one colour', drawn(() => 90)],
])('%s are not detected as JPEG blocks', (_, raster) => {
  expect(tracesIn(raster)).toBeUndefined();
});

test('an image with few blocks gives no result', () => {
  expect(findJpegTraces(new Float32Array(31 * 100), { width: 31, height: 100 })).toBeUndefined();
});
