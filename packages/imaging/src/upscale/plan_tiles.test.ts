import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planTiles } from './plan_tiles.ts';

const rules = { pixelsMax: 100 * 100, overlapPx: 8, multipleOf: 1 };

test('an image that fits is one tile without padding', () => {
  expect(planTiles(100, 100, rules)).toEqual([
    [{ left: 0, top: 0, width: 100, height: 100, input: { left: 0, top: 0, width: 100, height: 100 } }],
  ]);
});

test('a larger image is split into two overlapping tiles', () => {
  const [[first, second] = []] = planTiles(150, 100, rules);
  expect(first).toMatchObject({ left: 0, width: 75, input: { left: 0, width: 83 } });
  expect(second).toMatchObject({ left: 75, width: 75, input: { left: 67, width: 83 } });
});

test('tiles cover every pixel once, respect the size limit and include their padding', () => {
  const side = fc.integer({ min: 1, max: 400 });
  fc.assert(
    fc.property(
      side,
      side,
      fc.constantFrom(1, 2),
      fc.integer({ min: 0, max: 15 }),
      (w, h, multipleOf, overlapPx) => {
        const [width, height] = [w * multipleOf, h * multipleOf];
        const tiles = planTiles(width, height, {
          pixelsMax: 80 * 80,
          overlapPx: overlapPx * multipleOf,
          multipleOf,
        }).flat();
        const covered = new Uint8Array(width * height);
        for (const { left, top, input, ...tile } of tiles) {
          expect(input.width * input.height).toBeLessThanOrEqual(80 * 80);
          expect(
            [left, top, tile.width, input.left, input.width, input.height].every(
              (at) => at % multipleOf === 0,
            ),
          ).toBe(true);
          expect(input.left).toBe(Math.max(0, left - overlapPx * multipleOf));
          expect(input.top + input.height).toBe(Math.min(height, top + tile.height + overlapPx * multipleOf));
          for (let y = top; y < top + tile.height; y += 1)
            for (let x = left; x < left + tile.width; x += 1) covered[y * width + x]! += 1;
        }
        expect(covered.every((count) => count === 1)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});
