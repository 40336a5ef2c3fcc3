import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { keys, lightBuffer, sampleRow, WARP_WASM_B64 } from './warp_kernel.ts';

test('the compiled WebAssembly module matches its source', async () => {
  const source = readFileSync(new URL('warp.wat', import.meta.url), 'utf8');
  const { buffer } = (await wabt()).parseWat('warp.wat', source).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(WARP_WASM_B64);
});

const SIDE = 24;
const opacityAt = (x: number, y: number) => (x < 12 ? 1 : Math.max(0, 1 - (x - 11) / 10 + 0.01 * (y % 3)));
const colorAt = (x: number, y: number, channel: number) => 0.5 + 0.4 * Math.sin(x / 2 + channel + y / 3);
const lightAt = (x: number, y: number, channel: number) =>
  opacityAt(x, y) * (channel === 3 ? 1 : colorAt(x, y, channel));
const encode = (light: number) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/** Direct implementation of the definition in double precision. */
function expectedAt(u: number, v: number, whole: number): number[] {
  const sums = [0, 0, 0, 0];
  for (let y = Math.floor(v) - 1; y <= Math.floor(v) + 2; y += 1)
    for (let x = Math.floor(u) - 1; x <= Math.floor(u) + 2; x += 1)
      for (let channel = 0; channel < 4; channel += 1)
        sums[channel]! += keys(x - u) * keys(y - v) * lightAt(x, y, channel);
  const alpha = Math.min(1, Math.max(0, sums[3]!));
  const colors = sums.slice(0, 3).map((sum) => whole * encode(Math.min(1, Math.max(0, sum / (alpha || 1)))));
  return [...colors, whole * alpha];
}

test.each([
  [255, 0.51],
  [65_535, 40],
])('samples for %d match double precision within %d', (whole, most) => {
  const light = lightBuffer(SIDE * SIDE);
  for (let at = 0; at < light.length; at += 1)
    light[at] = lightAt((at >> 2) % SIDE, Math.floor(at / 4 / SIDE), at & 3);
  const count = 30;
  const result = whole === 255 ? new Uint8Array(4 * count) : new Uint16Array(4 * count);
  // Positions at multiples of a 1,024th of a pixel.
  const row = { width: SIDE, x: 2 + 3 / 1024, y: 3 + 511 / 1024, dx: 607 / 1024, dy: 301 / 1024, count };
  sampleRow(row, { data: result, channels: 4 }, 0);
  for (let index = 0; index < count; index += 1) {
    const wanted = expectedAt(row.x + index * row.dx, row.y + index * row.dy, whole);
    const found = result.subarray(4 * index, 4 * index + 4);
    if (wanted[3]! > whole / 50)
      for (const [channel, value] of wanted.entries())
        expect(Math.abs(found[channel]! - value)).toBeLessThanOrEqual(most);
  }
});
