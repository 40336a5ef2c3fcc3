import { expect, test } from 'vitest';
import { disc, madePicture } from '../../../../tests/support/made_pictures.ts';
import type { Plane } from '../pixels/plane.ts';
import { classifyByColors } from './classify_by_colors.ts';

const size = { width: 60, height: 40 };
const isIn = disc(30, 20, 12);
const picture = madePicture({
  ...size,
  opacity: isIn,
  object: (x, y) => [190 + ((7 * x + 3 * y) % 20), 60, 50],
  background: (x, y) => [90, 120, 130 + ((5 * x + 11 * y) % 20)],
});
const plane = (valueAt: (x: number, y: number) => number): Plane => ({
  ...size,
  data: Float32Array.from({ length: 60 * 40 }, (_, at) => valueAt(at % 60, Math.floor(at / 60))),
});
const at = ({ data }: Plane, x: number, y: number) => data[y * 60 + x]!;

test('colour restores uncertain subject areas and removes uncertain background', () => {
  const mask = plane((x, y) => (isIn(x, y) ? (x < 30 ? 1 : 0.4) : x > 50 ? 0.6 : 0));
  const weighed = classifyByColors(picture, mask, mask);

  expect(at(weighed, 36, 20)).toBeGreaterThan(0.9);
  expect(at(weighed, 55, 20)).toBeLessThan(0.1);
  expect([at(weighed, 24, 20), at(weighed, 5, 5)]).toEqual([1, 0]);
});

test('without confident areas, the mask is unchanged', () => {
  const mask = plane((x, y) => 0.4 * isIn(x, y));
  expect(classifyByColors(picture, mask, mask)).toBe(mask);
});
