import { expect, test } from 'vitest';
import { oklabOf } from '../pixels/oklab.ts';
import { harmonyOf } from './extract_palette.ts';

const color = (r: number, g: number, b: number, percentage: number) => ({ rgb: { r, g, b }, percentage });
const hueOf = (hex: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [, x, y] = oklabOf(r!, g!, b!);
  return (Math.atan2(y, x) * 180) / Math.PI;
};
const apart = (one: string, other: string): number =>
  Math.abs(((hueOf(one) - hueOf(other) + 540) % 360) - 180);

test('harmonies rotate the hue by their standard angles', () => {
  const { base, complementary, analogous, triadic } = harmonyOf([
    color(200, 80, 40, 60),
    color(90, 90, 90, 40),
  ])!;
  expect(base).toBe('#c85028');
  expect(apart(base, complementary)).toBeGreaterThan(175);
  for (const near of analogous) expect(Math.abs(apart(base, near) - 30)).toBeLessThan(5);
  for (const far of triadic) expect(Math.abs(apart(base, far) - 120)).toBeLessThan(5);
});

test('the base colour balances area and saturation', () => {
  expect(harmonyOf([color(128, 128, 128, 90), color(20, 60, 220, 10)])!.base).toBe('#143cdc');
  expect(harmonyOf([color(180, 90, 60, 98), color(0, 0, 255, 0.5)])!.base).toBe('#b45a3c');
});

test('a grey palette has no harmony', () => {
  expect(harmonyOf([color(128, 128, 128, 50), color(250, 250, 250, 50)])).toBeUndefined();
});
