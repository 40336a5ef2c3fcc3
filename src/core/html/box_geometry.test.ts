import { describe, expect, test } from 'vitest';
import {
  angleAt,
  aspectIn,
  type Box,
  boxIn,
  GRIPS,
  inPercent,
  moveBox,
  pullBox,
  shareOf,
} from './browser/box_geometry.ts';

const BOX: Box = { x: 0.2, y: 0.3, width: 0.4, height: 0.2 };

test('a box that is moved stays on the image', () => {
  expect(moveBox(BOX, 2, -2)).toEqual({ ...BOX, x: 0.6, y: 0 });
});

describe.each(GRIPS)('pulled at %s', (grip) => {
  test('the opposite edges stay, and the box stays on the image', () => {
    const pulled = pullBox(BOX, grip, { dx: 0.1, dy: 0.1 });
    const right = pulled.x + pulled.width;
    const bottom = pulled.y + pulled.height;
    if (!grip.includes('w')) expect(pulled.x).toBe(BOX.x);
    if (!grip.includes('e')) expect(right).toBeCloseTo(0.6, 9);
    if (!grip.includes('n')) expect(pulled.y).toBe(BOX.y);
    if (!grip.includes('s')) expect(bottom).toBeCloseTo(0.5, 9);
  });

  test.each([-3, 3])('by %d it keeps its ratio within the image', (far) => {
    const { x, y, width, height } = pullBox(BOX, grip, { dx: far, dy: far }, 2);
    expect(width / height).toBeCloseTo(2, 6);
    expect([x >= -1e-9, y >= -1e-9, x + width <= 1 + 1e-9, y + height <= 1 + 1e-9]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});

test('a box in percent does not reach beyond the image after rounding', () => {
  for (let at = 1; at < 2000; at += 1) {
    const x = at / 2003;
    const { x: left, width } = inPercent({ x, y: x, width: 1 - x, height: 1 - x });
    expect(Number.parseFloat(left) + Number.parseFloat(width)).toBeLessThanOrEqual(100 + 1e-9);
  }
});

test.each([
  [50, 0.25],
  ['50', 0.25],
  ['50px', 0.25],
  ['12.5%', 0.125],
  ['5mm', undefined],
  ['', undefined],
])('the length %o of 200 px is %o', (length, share) => {
  expect(shareOf(length, 200)).toBe(share);
});

test('a box without all four sides is none', () => {
  expect([boxIn({ x: 0, y: 0, width: 10 }, { width: 100, height: 50 }), boxIn(undefined, BOX)]).toEqual([
    undefined,
    undefined,
  ]);
});

test.each([
  ['16:9', 16 / 9],
  [1.5, 1.5],
  ['', undefined],
  ['wide', undefined],
])('the aspect %o is %o', (text, ratio) => {
  expect(aspectIn(text)).toBe(ratio);
});

test.each([
  [0, -1, 0],
  [1, 0, 90],
  [0, 1, 180],
  [-1, 0, -90],
])('a knob at (%d, %d) stands at %d degrees', (dx, dy, degrees) => {
  expect(angleAt(dx, dy)).toBeCloseTo(degrees, 9);
});
