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

test('a moved box stays within the image', () => {
  expect(moveBox(BOX, 2, -2)).toEqual({ ...BOX, x: 0.6, y: 0 });
});

describe.each(GRIPS)('resizing with the %s handle', (grip) => {
  test('the opposite edges stay fixed, and the box stays within the image', () => {
    const pulled = pullBox(BOX, grip, { dx: 0.1, dy: 0.1 });
    const right = pulled.x + pulled.width;
    const bottom = pulled.y + pulled.height;
    if (!grip.includes('w')) expect(pulled.x).toBe(BOX.x);
    if (!grip.includes('e')) expect(right).toBeCloseTo(0.6, 9);
    if (!grip.includes('n')) expect(pulled.y).toBe(BOX.y);
    if (!grip.includes('s')) expect(bottom).toBeCloseTo(0.5, 9);
  });

  test.each([-3, 3])('resized by %d, the box keeps its aspect ratio within the image', (far) => {
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

test('a box in percent does not exceed the image after rounding', () => {
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
])('the length %o of 200 px is the fraction %o', (length, share) => {
  expect(shareOf(length, 200)).toBe(share);
});

test('a box without all four sides is undefined', () => {
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
])('the aspect ratio %o is parsed as %o', (text, ratio) => {
  expect(aspectIn(text)).toBe(ratio);
});

test.each([
  [0, -1, 0],
  [1, 0, 90],
  [0, 1, 180],
  [-1, 0, -90],
])('a handle at (%d, %d) has the angle %d degrees', (dx, dy, degrees) => {
  expect(angleAt(dx, dy)).toBeCloseTo(degrees, 9);
});
