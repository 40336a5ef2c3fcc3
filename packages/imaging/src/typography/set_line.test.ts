import { expect, test } from 'vitest';
import { typeface } from '../../../../tests/support/typeface.ts';
import { setLine } from './set_line.ts';

const inkOf = (text: string, size: number) =>
  setLine(text, typeface, size).data.reduce((sum, ink) => sum + ink, 0);

test('a full stop is small, dark and on the baseline', () => {
  const { width, height, data } = setLine('.', typeface, 40);
  const rows = Array.from({ length: height }, (_, y) =>
    Math.max(...data.subarray(y * width, (y + 1) * width)),
  );
  expect(rows.filter((ink) => ink > 0).length).toBeLessThan(8);
  expect(Math.max(...rows)).toBe(255);
  expect(rows.findIndex((ink) => ink > 0)).toBeGreaterThan(height / 2);
});

test('doubling the font size quadruples the inked area', () => {
  expect(inkOf('Hand', 60) / inkOf('Hand', 30)).toBeCloseTo(4, 1);
});

test('the letter O has a hole', () => {
  const { width, height, data } = setLine('O', typeface, 80);
  expect(data[Math.round(height * 0.48) * width + Math.round(width / 2)]).toBe(0);
});

test('an empty text yields an empty image', () => {
  const { width, data } = setLine('', typeface, 20);
  expect([width, Math.max(...data)]).toEqual([1, 0]);
});
