import { expect, test } from 'vitest';
import { cornersOf, minAreaRectangle } from './min_area_rectangle.ts';

test.each([0, 0.3, -0.7, 1.2])('a rectangle rotated by %d is recovered from its corners', (angle) => {
  const found = minAreaRectangle(cornersOf({ center: { x: 40, y: 30 }, width: 20, height: 6, angle }));
  expect(found.width * found.height).toBeCloseTo(120);
  expect(found.center.x).toBeCloseTo(40);
  expect(found.center.y).toBeCloseTo(30);
});

test('a single point has no area', () => {
  expect(minAreaRectangle([{ x: 3, y: 4 }])).toMatchObject({ center: { x: 3, y: 4 }, width: 0, height: 0 });
});
