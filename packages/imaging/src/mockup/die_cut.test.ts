import { expect, test } from 'vitest';
import type { Art } from './art.ts';
import { cutLineDistance } from './die_cut.ts';

const SIDE = 100;

/** An artwork of 100 × 100 pixels, opaque where the predicate holds. */
function artOf(isOpaque: (x: number, y: number) => boolean): Art {
  const samples = new Uint16Array(4 * (SIDE + 2) ** 2);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1)
      if (isOpaque(x, y)) samples[4 * ((y + 1) * (SIDE + 2) + x + 1) + 3] = 65535;
  return { width: SIDE, height: SIDE, samples, isOpaque: false, fit: 'contain' };
}

const SIZE = { width: 200, height: 200 };
const BORDER = 10;

test('the cut line of a sticker keeps the border width from opaque pixels', () => {
  const line = cutLineDistance(
    artOf((x) => x >= 40 && x < 60),
    SIZE,
    BORDER,
  );
  expect(line(20 + BORDER, 0)).toBeCloseTo(0, 0);
  expect(line(20 + BORDER + 8, 0)).toBeCloseTo(8, 0);
  expect(line(0, 0)).toBeLessThan(-8);
});

test('the cut line closes holes narrower than twice the border and follows wider ones', () => {
  const holeOf = (half: number) =>
    cutLineDistance(
      artOf((x, y) => Math.hypot(x - 50, y - 50) > half),
      SIZE,
      BORDER,
    )(0, 0);
  expect(holeOf(9)).toBeLessThan(0);
  expect(holeOf(30)).toBeGreaterThan(0);
});

test('a fully transparent artwork is cut as a full sheet', () => {
  const line = cutLineDistance(
    artOf(() => false),
    SIZE,
    BORDER,
  );
  expect(line(0, 0)).toBeLessThan(0);
  expect(line(100 + BORDER, 0)).toBeCloseTo(0, 6);
});
