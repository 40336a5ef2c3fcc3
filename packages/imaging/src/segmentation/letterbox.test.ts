import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import { cropRaster, findFrame } from './letterbox.ts';

const size = { width: 120, height: 90 };
const BLACK = [8, 9, 7] as const;
const lit = (x: number, y: number) => [120 + x / 2, 90 + y, 60] as const;
const made = (isBar: (x: number, y: number) => boolean) =>
  madePicture({
    ...size,
    opacity: () => 0,
    object: () => BLACK,
    background: (x, y) => (isBar(x, y) ? BLACK : lit(x, y)),
    noise: 3,
  });

test.each([
  ['above and below', (_x: number, y: number) => y < 12 || y >= 80, [0, 12, 120, 68]],
  ['left and right', (x: number) => x < 20 || x >= 100, [20, 0, 80, 90]],
  ['all around', (x: number, y: number) => x < 9 || x >= 110 || y < 12 || y >= 80, [9, 12, 101, 68]],
])('black bars %s are excluded', (_where, isBar, [left, top, width, height]) => {
  expect(findFrame(made(isBar))).toEqual({ left, top, width, height });
});

test.each([
  ['no bars', () => false],
  ['a bar at one side only', (_x: number, y: number) => y < 12],
  ['a black image', () => true],
  ['bars that leave a slit', (_x: number, y: number) => y < 44 || y >= 46],
])('%s are not detected as letterboxing', (_what, isBar) => {
  expect(findFrame(made(isBar))).toBeUndefined();
});

test('a disc on a black background is not letterboxing', () => {
  const picture = madePicture({
    ...size,
    opacity: disc(60, 45, 30),
    object: () => [200, 60, 50],
    background: () => BLACK,
  });
  expect(findFrame(picture)).toBeUndefined();
});

test('a crop has the pixels of its region', () => {
  const picture = made(() => false);
  const part = cropRaster(picture, { left: 5, top: 7, width: 2, height: 2 });
  const at = (x: number, y: number) => [...picture.data.subarray(3 * (y * 120 + x)).subarray(0, 3)];
  expect([...part.data]).toEqual([...at(5, 7), ...at(6, 7), ...at(5, 8), ...at(6, 8)]);
});
