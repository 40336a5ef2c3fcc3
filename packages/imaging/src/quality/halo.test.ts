import { expect, test } from 'vitest';
import type { Raster } from '../pixels/raster.ts';
import { resample } from '../resample/resample.ts';
import { countHalo, haloPercent } from './halo.ts';

const grey = (side: number, level: (x: number, y: number) => number): Raster => ({
  width: side,
  height: side,
  channels: 1,
  data: Uint8Array.from({ length: side * side }, (_, at) => level(at % side, Math.floor(at / side))),
});
const whole = (side: number) => ({ left: 0, top: 0, width: side, height: side });

test('a ringing kernel produces halos at edges, and pixel repetition does not', () => {
  const source = grey(64, (x) => (x % 16 < 8 ? 60 : 190));
  const ringing = resample(source, { width: 256, height: 256, light: 'gamma' });
  const blocks = grey(256, (x) => (x % 64 < 32 ? 60 : 190));
  expect(haloPercent(countHalo(source, ringing, whole(64)))).toBeGreaterThan(20);
  expect(haloPercent(countHalo(source, blocks, whole(64)))).toBe(0);
});

test('every lightened pixel next to an edge counts as a halo', () => {
  const source = grey(64, (x) => (x % 16 < 8 ? 60 : 190));
  const lighter = grey(256, () => 200);
  expect(haloPercent(countHalo(source, lighter, whole(64)))).toBe(100);
});

test('a crop is compared with the same region of the source', () => {
  const source = grey(64, (x) => (x < 32 ? 10 : x % 16 < 8 ? 60 : 190));
  const right = grey(256, (x) => (x % 128 < 64 ? 60 : 190));
  const part = { left: 32, top: 0, width: 32, height: 64 };
  expect(haloPercent(countHalo(source, right, part))).toBe(0);
});

test('without edges, no halo figure is reported', () => {
  const smooth = grey(64, (x) => x);
  expect(haloPercent(countHalo(smooth, smooth, whole(64)))).toBeUndefined();
});
