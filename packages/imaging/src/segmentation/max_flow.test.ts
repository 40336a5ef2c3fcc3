import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutGrid, type GridCosts } from './grab_cut.ts';

const STEPS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
] as const;

/** Cost of a cut: pixels assigned against their unary term, and separated neighbours. */
function costOf({ width, height, unary, pairwise: cut }: GridCosts, mask: ArrayLike<number>): number {
  let cost = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const value = unary[pixel]!;
    if (value > 0 !== (mask[pixel] === 1)) cost += Math.abs(value);
    for (const [direction, [across, down]] of STEPS.entries()) {
      const [x, y] = [(pixel % width) + across, Math.floor(pixel / width) + down];
      if (x < 0 || x >= width || y >= height) continue;
      if (mask[pixel] !== mask[y * width + x]) cost += cut[direction]![pixel]!;
    }
  }
  return cost;
}

test('the cut of a small grid is minimal', () => {
  const [width, height] = [3, 4];
  const pixels = width * height;
  const whole = (maximum: number, minimum = 0) =>
    fc
      .array(fc.integer({ min: minimum, max: maximum }), { minLength: pixels, maxLength: pixels })
      .map((values) => Float32Array.from(values));
  fc.assert(
    fc.property(whole(9, -9), fc.tuple(whole(6), whole(6), whole(6), whole(6)), (unary, cut) => {
      const costs = { width, height, unary, pairwise: cut };
      const found = costOf(costs, cutGrid(costs));
      for (let mask = 0; mask < 2 ** pixels; mask++) {
        const sides = Array.from({ length: pixels }, (_, pixel) => (mask >> pixel) & 1);
        expect(found).toBeLessThanOrEqual(costOf(costs, sides) + 1e-4);
      }
    }),
    { numRuns: 25 },
  );
});

test('a strong seed spreads up to the cheapest cut', () => {
  const [width, height] = [9, 1];
  const unary = Float32Array.of(50, 0, 0, 0, 0, 0, 0, 0, -50);
  const right = Float32Array.of(5, 5, 5, 5, 1, 5, 5, 5, 0);
  const none = new Float32Array(9);
  const mask = cutGrid({ width, height, unary, pairwise: [right, none, none, none] });
  expect([...mask]).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0]);
});
