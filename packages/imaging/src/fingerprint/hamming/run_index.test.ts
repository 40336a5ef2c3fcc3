import { expect, test } from 'vitest';
import { codeOf, numbers } from '../../../../../tests/support/random_codes.ts';
import { SEGMENT_CODES } from './code_segment.ts';
import { HammingIndex } from './hamming_index.ts';
import { NEEDLES_MAX, RunIndex, SCANNED_NEEDLES_MAX } from './run_index.ts';

const CODES_A_RUN = 30;

/** Codes that differ from `code` in 0 to 39 bits. */
function withEveryDistance(code: Uint8Array): Uint8Array[] {
  const spoiled = code.slice();
  return Array.from({ length: 40 }, (_, distance) => {
    if (distance > 0) spoiled[((distance * 37) % 256) >> 3]! ^= 1 << ((distance * 37) % 8);
    return spoiled.slice();
  });
}

/** The expected result, from one bucket search per query hash. */
function oneByOne(index: HammingIndex, needles: readonly Uint8Array[]) {
  const hits = needles.flatMap((code, needle) => index.search(code).map((hit) => ({ ...hit, needle })));
  return [...Map.groupBy(hits, ({ ref }) => ref)]
    .map(([ref, own]) => ({
      ref,
      needles: new Set(own.map(({ needle }) => needle)).size,
      distance: Math.min(...own.map(({ distance }) => distance)),
    }))
    .sort((one, other) => other.needles - one.needles || one.ref - other.ref);
}

test('batched queries match bucket search across blocks and segments and after restoring', () => {
  const next = numbers(9);
  const [runs, buckets] = [new RunIndex(), new HammingIndex()];
  const planted: Uint8Array[] = [];
  for (let place = 0; place < SEGMENT_CODES + 5000; place++) {
    const code = codeOf(next);
    if (place % 20_000 < 3 || Math.abs(place - SEGMENT_CODES) < 3) planted.push(code);
    runs.add(code, Math.floor(place / CODES_A_RUN));
    buckets.add(code, Math.floor(place / CODES_A_RUN));
  }
  const needles = [...planted.flatMap(withEveryDistance), ...Array.from({ length: 90 }, () => codeOf(next))];
  const expected = oneByOne(buckets, needles);

  expect(expected[0]).toEqual({ ref: Math.floor(SEGMENT_CODES / CODES_A_RUN), needles: 160, distance: 0 });
  expect(runs.search(Buffer.concat(needles))).toEqual(expected);
  for (const few of [1, 6, SCANNED_NEEDLES_MAX, SCANNED_NEEDLES_MAX + 1]) {
    const some = needles.filter((_, at) => at % 7 === 0).slice(0, few);
    expect(runs.search(Buffer.concat(some))).toEqual(oneByOne(buckets, some));
  }
  const copy = new RunIndex();
  const { codes, refs } = runs.segmentAt(0);
  const parts = [codes, new Uint8Array(refs.buffer)];
  copy.restore((part) => part.set(parts.shift()!));
  const tail = runs.codesOf(1);
  tail.refs.forEach((ref, at) => void copy.add(tail.codes.subarray(at * 32, at * 32 + 32), ref));
  expect(copy.search(Buffer.concat(needles))).toEqual(expected);
});

test('identical queries and codes are all counted', () => {
  const index = new RunIndex();
  for (let at = 0; at < 3000; at++) index.add(new Uint8Array(32), 7);
  index.add(new Uint8Array(32), 8);
  expect(index.search(new Uint8Array(32 * NEEDLES_MAX), 0)).toEqual([
    { ref: 7, needles: NEEDLES_MAX, distance: 0 },
    { ref: 8, needles: NEEDLES_MAX, distance: 0 },
  ]);
  expect(index.search(new Uint8Array(32 * 3), 0)).toEqual([
    { ref: 7, needles: 3, distance: 0 },
    { ref: 8, needles: 3, distance: 0 },
  ]);
  expect(index.search(new Uint8Array())).toEqual([]);
});

test('a code takes 32 bytes and a run takes 16', () => {
  const [index, next] = [new RunIndex(), numbers(3)];
  for (let at = 0; at < 32_000; at++) index.add(codeOf(next), at >> 5);
  expect(index.memoryBytes).toBe(32_000 * 32 + 1000 * 16);
});

test.each([
  ['a code of another length', () => new RunIndex().add(new Uint8Array(31), 1), '32 bytes'],
  ['too many needles', () => new RunIndex().search(new Uint8Array(32 * 2049)), 'at most 2048'],
  ['a larger radius', () => new RunIndex().search(new Uint8Array(32), 32), 'at most 31'],
])('%s is rejected', (_, call, message) => {
  expect(call).toThrow(message);
});
