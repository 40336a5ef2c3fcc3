import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { SEGMENT_CODES } from './code_segment.ts';
import { HammingIndex } from './hamming_index.ts';
import { POPCOUNT_WASM_B64 } from './popcount.ts';

/** Numbers that look random and are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const codeOf = (next: () => number): Uint8Array =>
  new Uint8Array(Uint32Array.from({ length: 8 }, next).buffer);

function flipBits(code: Uint8Array, bits: readonly number[]): Uint8Array {
  const flipped = code.slice();
  for (const bit of bits) flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
}

test('the assembled module is that of the source', async () => {
  const source = readFileSync(new URL('popcount.wat', import.meta.url), 'utf8');
  const { buffer } = (await wabt()).parseWat('popcount.wat', source).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(POPCOUNT_WASM_B64);
});

test('buckets and scan find every planted code and nothing else', () => {
  const next = numbers(7);
  const index = new HammingIndex();
  const needle = codeOf(next);
  const planted = [0, 1, 15, 16, 30, 31, 32, 33].map((distance) => {
    const bits = Array.from({ length: 256 }, (_, bit) => bit).sort(() => (next() & 1) * 2 - 1);
    return flipBits(needle, bits.slice(0, distance));
  });
  for (const [place, code] of planted.entries()) index.add(code, 1000 + place);
  // Two bits in fifteen bands, one in the last: the most a code within reach can hide.
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

test('the same code a hundred thousand times is answered, not all of it', () => {
  const index = new HammingIndex();
  for (let place = 0; place < 100_000; place++) index.add(new Uint8Array(32), place);
  expect(index.search(new Uint8Array(32))).toHaveLength(4096);
});

test('a code of another length is refused', () => {
  expect(() => new HammingIndex().add(new Uint8Array(31), 1)).toThrow('32 bytes');
});

const FILE = fileURLToPath(new URL('../../../../shared/fixtures/pdq/search.json', import.meta.url));
const isThere = existsSync(FILE);
describe.skipIf(!isThere)(isThere ? 'the reference' : 'the reference (../shared is absent)', () => {
  test('every match of every needle at 15 and 31', () => {
    const { haystack, needles } = JSON.parse(readFileSync(FILE, 'utf8'));
    const index = new HammingIndex();
    for (const [place, code] of haystack.entries()) index.add(Buffer.from(code, 'hex'), place);
    const next = numbers(11);
    while (index.size < SEGMENT_CODES) index.add(codeOf(next), -1);
    const byPlace = ([one]: number[], [other]: number[]) => one! - other!;
    for (const { hash, matches } of needles) {
      for (const [radius, bare] of [
        [15, false],
        [31, false],
        [31, true],
      ] as const) {
        const found = index.search(Buffer.from(hash, 'hex'), radius, { bare });
        expect(found.map(({ ref, distance }) => [ref, distance]).sort(byPlace)).toEqual(
          matches[radius].sort(byPlace),
        );
      }
    }
  });
});
