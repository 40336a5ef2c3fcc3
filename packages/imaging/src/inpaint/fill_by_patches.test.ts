import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { distanceInside } from '../pixels/distance_inside.ts';
import { fillByPatches, PATCH_DISTANCE_WASM_B64 } from './fill_by_patches.ts';

test('the compiled WebAssembly module matches its source', async () => {
  const source = readFileSync(new URL('patch_distance.wat', import.meta.url), 'utf8');
  const { buffer } = (await wabt()).parseWat('patch_distance.wat', source).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(PATCH_DISTANCE_WASM_B64);
});

const SIDE = 96;
type Paint = (x: number, y: number) => readonly [number, number, number];

/** Fills the missing centre of an image and returns the mean error per sample there, in levels. */
function errorOf(paint: Paint, hole: { from: number; to: number }): number {
  const truth = new Uint8Array(SIDE * SIDE * 4);
  const mask = new Uint8Array(SIDE * SIDE);
  for (let at = 0; at < mask.length; at++) {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
    truth.set([...paint(x, y), 255], 4 * at);
    mask[at] = Math.min(x, y) >= hole.from && Math.max(x, y) < hole.to ? 1 : 0;
  }
  const data = truth.map((value, at) => (mask[at >> 2] ? 7 : value));
  expect(fillByPatches({ width: SIDE, height: SIDE, data, hole: mask })).toBe(true);
  const holed = [...mask.keys()].filter((at) => mask[at] === 1);
  const error = holed.reduce(
    (sum, at) =>
      sum + Math.abs(data[4 * at]! - truth[4 * at]!) + Math.abs(data[4 * at + 2]! - truth[4 * at + 2]!),
    0,
  );
  return error / holed.length / 2;
}

const stripes: Paint = (x) => (Math.floor(x / 6) % 2 ? [200, 40, 30] : [20, 60, 190]);
const halves: Paint = (_x, y) => (y < SIDE / 2 ? [230, 220, 120] : [40, 90, 60]);
const checks: Paint = (x, y) =>
  (Math.floor(x / 8) + Math.floor(y / 8)) % 2 ? [250, 250, 250] : [10, 10, 10];

test.each([
  ['one colour', () => [120, 130, 140] as const, 0.5],
  ['stripes', stripes, 4],
  ['an edge through the hole', halves, 4],
  ['a chequerboard', checks, 12],
])('%s continues through a hole', (_, paint, most) => {
  expect(errorOf(paint, { from: 34, to: 60 })).toBeLessThan(most);
});

test('filling the same hole twice gives the same result', () => {
  const once = errorOf(checks, { from: 30, to: 70 });
  expect(errorOf(checks, { from: 30, to: 70 })).toBe(once);
});

test('an image that is mostly hole is not filled', () => {
  const picture = {
    width: 12,
    height: 12,
    data: new Uint8Array(576).fill(9),
    hole: new Uint8Array(144).fill(1, 30, 110),
  };
  expect(fillByPatches(picture)).toBe(false);
  expect(picture.data.every((value) => value === 9)).toBe(true);
});

test('distance is measured from the nearest outside pixel, not from the image border', () => {
  const mask = Uint8Array.from({ length: 25 }, (_, at) => (at % 5 === 0 ? 0 : 1));
  expect([...distanceInside(mask, 5).subarray(10, 15)]).toEqual([0, 1, 2, 3, 4]);
});
