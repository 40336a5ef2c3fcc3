import { expect, test } from 'vitest';
import { lumaPsnr } from '../../../../tests/support/luma_psnr.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import { resizeImage } from '../resize/resize_image.ts';
import { type Resampling, resample } from './resample.ts';

const enlarge = (picture: Raster, size: Omit<Resampling, 'light'>) =>
  resample(picture, { ...size, light: 'gamma' });
const row = (samples: readonly number[], channels: Raster['channels'] = 1): Raster => ({
  width: samples.length / channels,
  height: 1,
  channels,
  data: Uint8Array.from(samples),
});

test('a uniform colour is preserved, and edges do not move', () => {
  const flat: Raster = { width: 3, height: 2, channels: 3, data: new Uint8Array(18).fill(77) };
  const { data: even } = enlarge(flat, { width: 12, height: 8 });
  expect([even.length, new Set(even)]).toEqual([18 * 16, new Set([77])]);
  const halves = Uint8Array.from({ length: 64 }, (_, at) => (at % 8 < 4 ? 0 : 255));
  const { data: large } = enlarge(
    { width: 8, height: 8, channels: 1, data: halves },
    { width: 16, height: 16 },
  );
  // The border between the halves lies between the eighth and the ninth of sixteen columns.
  expect(large[7]! + large[8]!).toBe(255);
  expect([large[3]! < 5, large[12]! > 250]).toEqual([true, true]);
});

test('a single dot reproduces the kernel', () => {
  const dot = row([0, 0, 0, 0, 200, 0, 0, 0, 0]);
  const found = [...enlarge(dot, { width: 18, height: 1 }).data];
  expect(found).toEqual(found.toReversed());
  // sinc(x) sinc(x/3) at a quarter of a pixel, divided by the sum of its six weights.
  expect(Math.abs(found[8]! - 200 * 0.8932)).toBeLessThan(3);
});

test.each([2, 3, 7.5])('a ramp enlarged %d times has no shift', (scale) => {
  const ramp = row(Array.from({ length: 24 }, (_, at) => at * 10));
  const { data: large } = enlarge(ramp, { width: 24 * scale, height: 1 });
  for (let x = 4 * scale; x < 20 * scale; x += 1)
    expect(Math.abs(large[x]! - 10 * ((x + 0.5) / scale - 0.5))).toBeLessThan(1.2);
});

test('a region has the same pixels as in the full result, even with subpixel borders', () => {
  const data = Uint8Array.from({ length: 40 * 30 * 3 }, (_, at) => (at * 7919) % 256);
  const picture: Raster = { width: 40, height: 30, channels: 3, data };
  const { data: whole } = enlarge(picture, { width: 160, height: 120 });
  const part = { left: 10.25, top: 5.5, width: 10, height: 5 };
  const { data: found } = enlarge(picture, { width: 40, height: 20, part });
  const expected = Array.from({ length: 20 }, (_, y) =>
    whole.subarray(((y + 22) * 160 + 41) * 3, ((y + 22) * 160 + 81) * 3),
  );
  expect(found).toEqual(Uint8Array.from(expected.flatMap((line) => [...line])));
});

test('transparent pixels do not bleed colour, and opaque pixels stay opaque', () => {
  const pixels = Array.from({ length: 12 }, (_, at) => (at < 6 ? [200, 10, 10, 255] : [0, 255, 0, 0]));
  const { data: large } = enlarge(row(pixels.flat(), 4), { width: 48, height: 1 });
  for (let x = 0; x < 48; x += 1) {
    const [red, green, , alpha] = large.subarray(x * 4, x * 4 + 4);
    if (alpha! > 20) expect([Math.abs(red! - 200) < 4, Math.abs(green! - 10) < 4]).toEqual([true, true]);
  }
  expect([large[3], large[47 * 4 + 3]]).toEqual([255, 0]);
});

test('a halved and enlarged scene stays close to the original in every mode', async () => {
  const truth = await scene(7, 320, 240);
  const bytes = await sharp(truth).resize(160, 120, { kernel: 'cubic' }).png().toBuffer();
  for (const mode of ['contain', 'cover', 'stretch'] as const) {
    const large = await resizeImage({ bytes, width: 320, height: 240, mode, format: 'png', quality: 90 });
    expect(await lumaPsnr(large.bytes, truth, 2)).toBeGreaterThan(30);
  }
});
