import { expect, test } from 'vitest';
import { type Rgba, writeBmp } from '../../../../tests/support/write_bmp.ts';
import { decodeBmp } from './bmp.ts';

const RED: Rgba = [255, 0, 0, 255];
const GREEN: Rgba = [0, 255, 0, 255];
const BLUE: Rgba = [0, 0, 255, 255];
const WHITE: Rgba = [255, 255, 255, 255];
/** Five columns, so that rows are padded at every bit depth. */
const PICTURE = [
  [RED, GREEN, BLUE, WHITE, RED],
  [WHITE, WHITE, RED, BLUE, GREEN],
  [BLUE, RED, RED, GREEN, WHITE],
];
const rgb = (rows: readonly (readonly Rgba[])[]) => rows.flat().flatMap((color) => color.slice(0, 3));

test.each([2, 4, 8, 16, 24, 32] as const)(
  'a BMP with %i bits per pixel is decoded in both row orders',
  (bits) => {
    const upright = decodeBmp(writeBmp({ rows: PICTURE, bits }));
    const topDown = decodeBmp(writeBmp({ rows: PICTURE, bits, isTopDown: true }));
    expect(upright).toMatchObject({ width: 5, height: 3, channels: 3, warnings: [] });
    expect([...upright.data]).toEqual(rgb(PICTURE));
    expect(topDown).toEqual(upright);
  },
);

test('a 1-bit BMP uses the two palette colours', () => {
  const rows = [[RED, BLUE, BLUE, RED, RED, RED, RED, BLUE, RED]];
  expect([...decodeBmp(writeBmp({ rows, bits: 1 })).data]).toEqual(rgb(rows));
});

test('an OS/2 bitmap uses a palette with three bytes per colour', () => {
  expect([...decodeBmp(writeBmp({ rows: PICTURE, bits: 8, header: 'core' })).data]).toEqual(rgb(PICTURE));
});

test('bit fields, including alpha, are scaled to 8 bits', () => {
  const rows = [[[255, 0, 0, 255] as Rgba, [0, 255, 0, 128] as Rgba, [0, 0, 255, 0] as Rgba]];
  const deep = decodeBmp(writeBmp({ rows, bits: 32, masks: [0x3ff00000, 0xffc00, 0x3ff, 0] }));
  const layered = decodeBmp(writeBmp({ rows, bits: 32, masks: [0xff, 0xff00, 0xff0000, 0xff000000] }));
  const small = decodeBmp(writeBmp({ rows, bits: 16, masks: [0xf800, 0x7e0, 0x1f, 0] }));
  expect([...deep.data]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255]);
  expect([...layered.data]).toEqual(rows.flat(2));
  expect([...small.data]).toEqual([...deep.data]);
});

test('an all-zero alpha channel is ignored', () => {
  const rows = [[[255, 0, 0, 0] as Rgba, [0, 255, 0, 0] as Rgba]];
  const picture = decodeBmp(writeBmp({ rows, bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000] }));
  expect(picture.channels).toBe(3);
  expect([...picture.data]).toEqual([255, 0, 0, 0, 255, 0]);
});

test('RLE8 and RLE4 are decoded with deltas and literal runs', () => {
  // Row 0 (the lowest): three of colour 1; row 1: literal 0, 1, 2; then the end.
  const eight = [3, 1, 0, 0, 0, 3, 0, 1, 2, 0, 0, 1];
  const four = [3, 0x11, 0, 0, 0, 3, 0x01, 0x20, 0, 1];
  const palette = [RED, GREEN, BLUE];
  const expected = rgb([
    [RED, GREEN, BLUE],
    [GREEN, GREEN, GREEN],
  ]);
  const shape = { width: 3, height: 2, palette };
  expect([...decodeBmp(writeBmp({ ...shape, bits: 8, runs: eight })).data]).toEqual(expected);
  expect([...decodeBmp(writeBmp({ ...shape, bits: 4, runs: four })).data]).toEqual(expected);
  const jump = [0, 2, 1, 1, 1, 2, 0, 1];
  expect([...decodeBmp(writeBmp({ ...shape, bits: 8, runs: jump })).data]).toEqual(
    rgb([
      [RED, BLUE, RED],
      [RED, RED, RED],
    ]),
  );
});

test('a header that exceeds the file size or the pixel limit is rejected', () => {
  const bytes = writeBmp({ rows: PICTURE, bits: 24 });
  expect(() => decodeBmp(bytes.subarray(0, bytes.length - 4))).toThrow(/ends after/);
  const large = Buffer.from(bytes);
  large.writeInt32LE(30_000, 18);
  large.writeInt32LE(30_000, 22);
  expect(() => decodeBmp(large)).toThrow(/30000 × 30000 pixels; at most 64 million/);
});

test('a BMP that wraps a JPEG is rejected with a fix', () => {
  const bytes = Buffer.from(writeBmp({ rows: PICTURE, bits: 24 }));
  bytes.writeUInt32LE(4, 30);
  expect(() => decodeBmp(bytes)).toThrow('Send that JPEG itself');
});
