import { expect, test } from 'vitest';
import { convexHull, createView, intersectPlane } from './view.ts';

const view = createView({ x: 480, y: 510, yaw: 0.5, pitch: -0.3, roll: 0.2, distance: 1800, scale: 0.9 });

test.each([
  [0, 0, 0],
  [120, -80, 0],
  [-200, 300, 40],
])('a ray through the projection of (%i, %i, %i) hits that point', (x, y, z) => {
  const [px, py] = intersectPlane(view, z)(...view.project(x, y, z));
  expect(px).toBeCloseTo(x, 6);
  expect(py).toBeCloseTo(y, 6);
});

test('the side turned towards the viewer appears larger than the far side', () => {
  const turned = createView({ x: 500, y: 500, yaw: 0.5, distance: 1800 });
  const tall = (x: number) => turned.project(x, 100, 0)[1] - turned.project(x, -100, 0)[1];
  expect(tall(200)).toBeGreaterThan(1.1 * tall(-200));
});

test('a convex hull excludes interior points', () => {
  const hull = convexHull([
    [0, 0],
    [4, 1],
    [10, 0],
    [10, 10],
    [5, 5],
    [0, 10],
  ]);
  expect(hull).toHaveLength(4);
  expect(hull).not.toContainEqual([5, 5]);
});
