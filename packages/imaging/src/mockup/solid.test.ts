import { expect, test } from 'vitest';
import { valueAt } from './field.ts';
import { slabSolid, UPRIGHT } from './slab.ts';
import { projectedBox, type Solid, solidMaps, solidShadow } from './solid.ts';
import { createView } from './view.ts';

const RADIUS = 120;
const ball: Solid = (x, y, z) => Math.sqrt(x * x + y * y + z * z) - RADIUS;
const view = createView({ x: 500, y: 500, pitch: 0.4, distance: 1e6 });

test('the outline of a ball is a circle and its normals point away from its centre', () => {
  const box = projectedBox(view, [0, 0, 0], [2 * RADIUS, 2 * RADIUS, 2 * RADIUS]);
  const normals: number[] = [];
  const maps = solidMaps(view, ball, { box, step: 2, reach: 130 }, ({ x, ownNormal, normal }) => {
    normals.push(Math.abs(ownNormal[0] - x / RADIUS), Math.abs(Math.hypot(...normal) - 1));
  });
  const wrong: number[] = [];
  for (let at = 0; at < maps.edge.length; at += 1) {
    const away =
      Math.hypot(
        maps.x + (at % maps.columns) * maps.step - 500,
        maps.y + Math.floor(at / maps.columns) * maps.step - 500,
      ) - RADIUS;
    if (Math.abs(away) < 4) wrong.push(Math.abs(maps.edge[at]! - away));
  }
  expect(wrong.length).toBeGreaterThan(500);
  expect(Math.max(...wrong)).toBeLessThan(0.3);
  expect(Math.max(...normals)).toBeLessThan(0.25);
});

test('the shadow is darkest under the object and falls to the right of the left-hand light', () => {
  const shadow = solidShadow(view, ball, { plane: 'y', at: RADIUS, reach: 130 });
  const [x, y] = view.project(0, RADIUS, 0);
  expect(valueAt(shadow, x, y)).toBeGreaterThan(0.5);
  expect(valueAt(shadow, x + 150, y)).toBeGreaterThan(1.5 * valueAt(shadow, x - 150, y));
  expect(valueAt(shadow, 990, 990)).toBeLessThan(0.01);
});

test.each([
  [0, 0, -5, 5],
  [0, 0, 30, 10],
  [60, 0, 10, 10],
  [53, 44, 10, 5],
])('the distance from (%i, %i, %i) to a board of 100 × 80 × 20 is %i', (x, y, z, away) => {
  const board = slabSolid({ at: [0, 0, 0], ...UPRIGHT, width: 100, height: 80, depth: 20, round: 0 });
  expect(board(x, y, z)).toBeCloseTo(away, 6);
});
