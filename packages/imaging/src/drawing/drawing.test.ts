import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Rgba } from '../color/css_color.ts';
import { drawQr } from './draw_qr.ts';
import { drawShape, type ShapeRequest } from './draw_shape.ts';
import type { DrawnLayer } from './layer.ts';
import { parsePath } from './parse_path.ts';

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
// Otherwise the library downloads its WebAssembly module.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

const canvas = { width: 200, height: 200 };
const RED: Rgba = [1, 0, 0, 1];
const BLUE: Rgba = [0, 0, 1, 1];
const shape = (wish: ShapeRequest) => drawShape(wish, canvas);
/** Covered area in pixels, partial coverage included. */
const areaOf = ({ raster }: DrawnLayer) =>
  (raster?.data ?? new Uint8Array()).reduce((sum, sample, at) => sum + (at % 4 === 3 ? sample / 255 : 0), 0);

test('a rectangle is antialiased by pixel coverage', () => {
  const { left, top, raster } = shape({
    type: 'rect',
    box: { x: 10, y: 20, width: 4.5, height: 2 },
    fill: RED,
  });
  expect({ left, top, width: raster!.width, height: raster!.height }).toEqual({
    left: 10,
    top: 20,
    width: 5,
    height: 2,
  });
  expect([...raster!.data.subarray(12, 20)]).toEqual([255, 0, 0, 255, 255, 0, 0, 128]);
});

test.each<[string, ShapeRequest, number]>([
  ['ellipse', { type: 'ellipse', box: { x: 10, y: 10, width: 100, height: 60 } }, Math.PI * 50 * 30],
  [
    'rounded rectangle',
    { type: 'rect', box: { x: 5, y: 5, width: 80, height: 50 }, radius: 20 },
    80 * 50 - (4 - Math.PI) * 400,
  ],
  [
    'triangle',
    {
      type: 'polygon',
      points: [
        [10, 10],
        [110, 10],
        [10, 90],
      ],
    },
    4000,
  ],
  [
    'line',
    {
      type: 'line',
      points: [
        [10, 10],
        [110, 85],
      ],
      stroke: { color: RED, width: 8 },
    },
    1000,
  ],
  [
    'outline',
    { type: 'rect', box: { x: 20, y: 20, width: 60, height: 40 }, stroke: { color: RED, width: 4 } },
    800,
  ],
  ['turned rectangle', { type: 'rect', box: { x: 60, y: 60, width: 60, height: 40 }, rotate: 33 }, 2400],
  ['path with an arc', { type: 'path', path: 'M50 100 a40 40 0 1 1 80 0 z' }, (Math.PI * 1600) / 2],
  [
    'path in a box',
    { type: 'path', path: 'm0 0h2v2h-2z', box: { x: 10, y: 10, width: 50, height: 20 } },
    1000,
  ],
])('the area of the %s is correct', (_, wish, area) => {
  expect(Math.abs(areaOf(shape(wish)) / area - 1)).toBeLessThan(0.003);
});

test('an arrow ends at its point and its head is wider than its line', () => {
  const arrow = shape({
    type: 'arrow',
    points: [
      [20, 100],
      [180, 100],
    ],
  });
  expect(arrow.left + arrow.raster!.width).toBe(180);
  expect(arrow.raster!.height).toBeGreaterThan(14);
});

test('the stroke is drawn over the fill, centred on the outline', () => {
  const { left, raster } = shape({
    type: 'rect',
    box: { x: 20, y: 20, width: 60, height: 40 },
    fill: BLUE,
    stroke: { color: RED, width: 4 },
  });
  const middle = 4 * 20 * raster!.width;
  expect(left).toBe(18);
  expect([...raster!.data.subarray(middle + 12, middle + 20)]).toEqual([255, 0, 0, 255, 0, 0, 255, 255]);
});

test('an unblurred shadow covers the same area as its shape', () => {
  const box = { x: 20, y: 20, width: 40, height: 40 };
  const shadow = { x: 50, y: 0, blur: 0, color: [0, 0, 0, 0.5] as const };
  expect(areaOf(shape({ type: 'rect', box, shadow }))).toBeCloseTo(1600 * (1 + 128 / 255), 0);
  const blurred = areaOf(shape({ type: 'rect', box, shadow: { ...shadow, blur: 8 } }));
  expect(Math.abs(blurred / 2400 - 1)).toBeLessThan(0.02);
});

test('SVG path data is parsed', () => {
  expect(parsePath('M1,2l3 4H9v-1C1 2 3 4 5 6s1 1 2 2zM0-.5.5e1.25')).toEqual([
    { type: 'M', values: [1, 2] },
    { type: 'L', values: [4, 6] },
    { type: 'L', values: [9, 6] },
    { type: 'L', values: [9, 5] },
    { type: 'C', values: [1, 2, 3, 4, 5, 6] },
    { type: 'C', values: [7, 8, 6, 7, 7, 8] },
    { type: 'Z', values: [] },
    { type: 'M', values: [0, -0.5] },
    { type: 'L', values: [5, 0.25] },
  ]);
});

test.each<[ShapeRequest, RegExp]>([
  [{ type: 'rect' }, /needs box/],
  [{ type: 'polygon', points: [[1, 1]] }, /3 to 2000/],
  [{ type: 'path', path: 'L1 1' }, /start with M/],
  [{ type: 'path', path: 'M1 1 L1' }, /too few numbers/],
  [{ type: 'path', path: 'M1 1 L9e9 1' }, /up to 200000/],
  [{ type: 'path', path: 'M1 1 <script>' }, /character 6/],
  [
    {
      type: 'line',
      points: [
        [0, 0],
        [Number.POSITIVE_INFINITY, 1],
      ],
    },
    /200000 px/,
  ],
])('%j is rejected with an explanation', (wish, message) => {
  expect(() => shape(wish)).toThrow(message);
});

async function read({ raster }: DrawnLayer): Promise<string[]> {
  const { width, height, data } = raster!;
  const codes = await readBarcodes({
    width,
    height,
    data: new Uint8ClampedArray(data),
    colorSpace: 'srgb',
  } as never);
  return codes.map(({ text }) => text);
}

test.each(['https://example.com/tickets?id=42', 'Größe 👍 日本', 'x'.repeat(1500)])(
  'a QR code can be decoded',
  async (text) => {
    const code = drawQr({ text, x: 0, y: 0, width: 500 });
    expect(await read(code)).toEqual([text]);
  },
);

test('a coloured QR code can be decoded, and low contrast adds a warning', async () => {
  const text = 'colour';
  const blue = drawQr({
    text,
    x: 3,
    y: 4,
    width: 150,
    color: [0, 0, 0.5, 1],
    background: [1, 0.95, 0.8, 1],
    level: 'H',
  });
  expect(await read(blue)).toEqual([text]);
  expect(blue).toMatchObject({ left: 3, top: 4, facts: { version: 1, warnings: [] } });
  expect(drawQr({ text, x: 0, y: 0, width: 150, color: [0.9, 0.9, 0.9, 1] }).facts.warnings[0]).toMatch(
    /contrast/i,
  );
});

test('text too long for a QR code is rejected', () => {
  expect(() => drawQr({ text: 'x'.repeat(4000), x: 0, y: 0, width: 500 })).toThrow(/4000 bytes, too many/);
  expect(() => drawQr({ text: 'https://example.com', x: 0, y: 0, width: 20 })).toThrow(/width of 33 px/);
});
