import { expect, test } from 'vitest';
import { impose } from './impose.ts';

/** 10 px per millimetre. */
const DPI = 254;

test('ten name tags are placed edge to edge in the centre of an A4 sheet', () => {
  const { sheet, cells, marks } = impose({ width: 900, height: 550 }, 'a4', DPI)!;
  expect(sheet).toEqual({ width: 2100, height: 2970 });
  expect(cells).toHaveLength(10);
  expect([cells[0], cells[9]]).toMatchObject([
    { left: 150, top: 110 },
    { left: 1050, top: 2310 },
  ]);
  expect(marks).toHaveLength(2 * 3 + 2 * 6);
});

test('the sheet is rotated if more copies fit', () => {
  const { sheet, cells } = impose({ width: 1400, height: 950 }, 'a4', DPI)!;
  expect(sheet).toEqual({ width: 2970, height: 2100 });
  expect(cells).toHaveLength(4);
});

test('cut marks stay within the margin', () => {
  const { sheet, cells, marks } = impose({ width: 1000, height: 1435 }, 'a4', DPI)!;
  expect(cells).toHaveLength(4);
  for (const [x, y] of marks.flat()) {
    expect(Math.min(x, y)).toBeGreaterThan(0);
    expect(x < sheet.width && y < sheet.height).toBe(true);
  }
});

test('an image larger than the printable area does not fit', () => {
  expect(impose({ width: 2100, height: 2970 }, 'a4', DPI)).toBeUndefined();
});
