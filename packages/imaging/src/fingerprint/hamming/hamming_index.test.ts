import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { codeOf, numbers } from '../../../../../tests/support/random_codes.ts';
import { POPCOUNT_WASM_B64, SEGMENT_CODES } from './code_segment.ts';
import { HammingIndex } from './hamming_index.ts';
import { JOIN_WASM_B64, SCAN_WASM_B64 } from './run_index.ts';

function flipBits(code: Uint8Array, bits: readonly number[]): Uint8Array {
  const flipped = code.slice();
  for (const bit of bits) flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
}

/** Bit positions spread evenly over the sixteen bands. */
const spread = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => (at % 16) * 16 + Math.floor(at / 16));

test.each([
  ['popcount.wat', POPCOUNT_WASM_B64],
  ['join.wat', JOIN_WASM_B64],
  ['scan.wat', SCAN_WASM_B64],
])('the compiled WebAssembly module matches its source: %s', async (file, assembled) => {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  const { buffer } = (await wabt()).parseWat(file, source).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(assembled);
});

test('buckets and scan find exactly the planted codes', () => {
  const next = numbers(7);
  const index = new HammingIndex();
  const needle = codeOf(next);
  const planted = [0, 1, 15, 16, 30, 31, 32, 33].map((distance) => {
    const bits = Array.from({ length: 256 }, (_, bit) => bit).sort(() => (next() & 1) * 2 - 1);
    return flipBits(needle, bits.slice(0, distance));
  });
  for (const [place, code] of planted.entries()) index.add(code, 1000 + place);
  // Two bits in each of fifteen bands, one in the last: the worst case within the radius.
  index.add(
    flipBits(needle, [...Array(15).keys()].flatMap((band) => [band * 16, band * 16 + 9]).concat(250)),
    2000,
  );
  while (index.size < SEGMENT_CODES + 100) index.add(codeOf(next), 1);
  index.add(needle, 3000);

  const expected = [1000, 3000, 1001, 1002, 1003, 1004, 1005, 2000];
  expect(index.search(needle).map(({ ref }) => ref)).toEqual(expected);
  expect(index.search(needle, 31, { bare: true }).map(({ ref }) => ref)).toEqual(expected);
  expect(index.search(needle, 1)).toEqual([
    { ref: 1000, distance: 0 },
    { ref: 3000, distance: 0 },
    { ref: 1001, distance: 1 },
  ]);
});

test('beyond the bucket radius, every code is compared', () => {
  const next = numbers(8);
  const index = new HammingIndex();
  const needle = codeOf(next);
  // Two bits in each band: in no bucket adjacent to that of the query.
  for (const bits of [32, 47, 48]) index.add(flipBits(needle, spread(bits)), bits);
  while (index.size < SEGMENT_CODES) index.add(codeOf(next), 1);

  expect(index.search(needle, 47).map(({ ref }) => ref)).toEqual([32, 47]);
});

test('a search for a code stored 100,000 times returns a limited result', () => {
  const index = new HammingIndex();
  for (let place = 0; place < 100_000; place++) index.add(new Uint8Array(32), place);
  expect(index.search(new Uint8Array(32))).toHaveLength(4096);
});

test('a code with the wrong length is rejected', () => {
  expect(() => new HammingIndex().add(new Uint8Array(31), 1)).toThrow('32 bytes');
});
