import { expect, test } from 'vitest';
import { typeface } from '../../../../tests/support/typeface.ts';
import { sharp } from '../codecs/sharp.ts';
import { contactSheet } from './contact_sheet.ts';

const cell = (label: string, side: number, level: number) => ({
  label,
  width: side,
  height: side,
  channels: 3 as const,
  data: new Uint8Array(side * side * 3).fill(level),
});

test('a contact sheet shows four labelled images per row at one size', async () => {
  const cells = ['a', 'b', 'c', 'd', 'e'].map((label, at) => cell(label, at === 0 ? 8 : 32, 50 * at + 40));
  const { data, info } = await sharp(await contactSheet(cells, typeface))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([4 * 36 + 4, 2 * 58 + 4]);
  const level = (x: number, y: number) => data[(y * info.width + x) * info.channels]!;
  expect([level(20, 40), level(56, 40), level(20, 100), level(56, 100)]).toEqual([40, 90, 240, 24]);
  const name = Array.from({ length: 14 }, (_, y) =>
    Array.from({ length: 12 }, (_, x) => level(4 + x, 4 + y)),
  );
  expect(Math.max(...name.flat())).toBeGreaterThan(180);
});

test('long names widen the cells', async () => {
  const { width } = await sharp(
    await contactSheet([cell('a_rather_long_name', 8, 1), cell('b', 8, 1)], typeface),
  ).metadata();
  expect(width).toBeGreaterThan(2 * 100);
});
