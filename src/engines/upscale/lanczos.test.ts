import { expect, test } from 'vitest';
import { lanczos } from './lanczos.ts';

test('one colour stays that colour, and edges stay where they are', () => {
  const even = lanczos({ width: 3, height: 2, channels: 3, samples: new Uint8Array(18).fill(77) }, 4);
  expect([even.length, new Set(even)]).toEqual([18 * 16, new Set([77])]);
  const halves = Uint8Array.from({ length: 64 }, (_, at) => (at % 8 < 4 ? 0 : 255));
  const large = lanczos({ width: 8, height: 8, channels: 1, samples: halves }, 2);
  // The middle between the halves lies between the eighth and the ninth of sixteen columns.
  expect(large[7]! + large[8]!).toBe(255);
  expect(large[3]).toBeLessThan(5);
  expect(large[12]).toBeGreaterThan(250);
});

test('a row of one dot is the kernel itself', () => {
  const samples = Uint8Array.from({ length: 9 }, (_, at) => (at === 4 ? 200 : 0));
  const row = lanczos({ width: 9, height: 1, channels: 1, samples }, 2).subarray(0, 18);
  // sinc(x) sinc(x/3) at 0.25 and 0.75, the same on both sides; beyond one pixel it is below zero.
  expect([...row.subarray(5, 13)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0].map((_, at) => row[17 - 5 - at]!));
  expect(row[8]).toBeGreaterThan(row[7]!);
  expect(Math.abs(row[8]! - 200 * 0.8932)).toBeLessThan(3);
});
