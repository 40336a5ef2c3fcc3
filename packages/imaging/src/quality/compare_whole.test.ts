import { expect, test } from 'vitest';
import type { Raster } from '../pixels/raster.ts';
import { compareRasters } from './compare_rasters.ts';
import { compareWhole } from './compare_whole.ts';

const SIDE = 48;

const draw = (color: (x: number, y: number) => readonly number[]): Raster => {
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at) => color(at % SIDE, Math.floor(at / SIDE)));
  return { width: SIDE, height: SIDE, channels: 3, data: Uint8ClampedArray.from(pixels.flat()) as never };
};

const before = (x: number, y: number) => [
  (5 * x + 3 * y) % 256,
  (x * y) % 256,
  (7 * x + Math.floor((x * y) / 3)) % 256,
];
const after = (x: number, y: number) => {
  const change = [((3 * x + 5 * y) % 13) - 6, ((x + 7 * y) % 9) - 4, ((x * x + y) % 17) - 8];
  return before(x, y).map((level, color) => level + change[color]!);
};
const [one, other] = [draw(before), draw(after)];

/**
 * Reference values for the same two images, drawn by the same formulas, from numpy and scikit-image 0.26: peak_signal_noise_ratio(a, b,
 * data_range=255) is 36.540238; structural_similarity(a @ w, b @ w, gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
 * data_range=255) with w = [.299, .587, .114] is 0.998238; deltaE_ciede2000 of their Lab under D50 (Bradford adaptation) has the mean
 * 1.601796 and the 95th percentile 3.552052.
 */
test('full-image metrics match another program', () => {
  expect(compareWhole(one, other)).toEqual({
    psnr_db: 36.54,
    ssim: 0.9982,
    delta_e00_mean: 1.6,
    delta_e00_p95: 3.55,
  });
});

test('tile-sampled metrics are close to the full-image metrics', () => {
  const sampled = compareRasters(one, other);
  expect(Math.abs(sampled.psnr_db - 36.54)).toBeLessThan(0.3);
  expect(Math.abs(sampled.ssim! - 0.9982)).toBeLessThan(0.001);
  expect(Math.abs(sampled.delta_e00_mean - 1.6)).toBeLessThan(0.2);
});

test('an image is identical to itself', () => {
  const same = { psnr_db: 99, ssim: 1, delta_e00_mean: 0, delta_e00_p95: 0 };
  expect([compareWhole(one, one), compareRasters(one, one)]).toEqual([same, same]);
});

test('a 16-bit image can be compared with an 8-bit one', () => {
  const deep = { ...one, data: Uint16Array.from(one.data, (level) => 257 * level) };
  expect(compareRasters(deep, other)).toEqual(compareRasters(one, other));
});

test('fully transparent pixels are compared as white', () => {
  const count = SIDE * SIDE;
  const clear = { ...one, channels: 4, data: new Uint8Array(4 * count) } as const;
  const white = { ...one, channels: 1, data: new Uint8Array(count).fill(255) } as const;
  expect(compareRasters(clear, white).psnr_db).toBe(99);
});

test.each([
  [1, 1],
  [7, 300],
  [300, 12],
])('an image of %i × %i pixels has metrics', (width, height) => {
  const grey = (level: number) =>
    ({ width, height, channels: 1, data: new Uint8Array(width * height).fill(level) }) as const;
  const { psnr_db, ssim } = compareRasters(grey(100), grey(110));
  expect(psnr_db).toBeCloseTo(20 * Math.log10(25.5), 2);
  expect(ssim === undefined).toBe(Math.min(width, height) < 11);
});
