import { expect, test } from 'vitest';
import type { Raster } from '../pixels/raster.ts';
import { BLOCK_PX, drawExpectedError, estimateError, inventedPercent } from './draw_expected_error.ts';

const grey = (width: number, height: number, level: (x: number, y: number) => number): Raster => ({
  width,
  height,
  channels: 1,
  data: Uint8Array.from({ length: width * height }, (_, at) => level(at % width, Math.floor(at / width))),
});
/** Uniform on the left, pixel-level detail on the right. */
const half = (x: number, y: number) => (x < 32 ? 128 : (x * 7919 + y * 104729) % 256);

test('expected error is high for pixel-level detail and low for flat areas', () => {
  const picture = grey(64, 32, half);
  const expected = estimateError(picture, picture, 4);
  const [even, fine] = [expected.levels.slice(1, 3), expected.levels.slice(5, 7)];

  expect(expected).toMatchObject({ width: 64 / BLOCK_PX, height: 32 / BLOCK_PX });
  expect(Math.max(...even)).toBeLessThan(2);
  expect(Math.min(...fine)).toBeGreaterThan(8);
  expect(inventedPercent(expected)).toBe(50);
});

test('expected error is high where the result departs from its source', () => {
  const picture = grey(64, 32, (x) => 100 + x);
  const other = grey(64, 32, (x, y) => 100 + x + (y < 16 ? 0 : 60));
  const { levels } = estimateError(picture, other, 4);
  expect(levels[8 * 3 + 4]).toBeGreaterThan(2 * levels[4]!);
});

test.each([
  [1, 1],
  [9, 3],
  [3, 700],
])('an image of %i × %i has a map with the same aspect ratio', async (width, height) => {
  const picture = grey(width, height, half);
  const map = await drawExpectedError(estimateError(picture, picture, 2), picture);
  const share = Math.min(1, 512 / Math.max(width, height));
  expect([map.width, map.height]).toEqual([
    Math.max(1, Math.round(width * share)),
    Math.round(height * share),
  ]);
});
