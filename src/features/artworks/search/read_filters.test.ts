import { expect, test } from 'vitest';
import { readSize } from './read_filters.ts';

test.each([
  ['20-40', 200, 400],
  ['40 to 20 cm', 200, 400],
  ['max 40', 1, 400],
  ['<= 1 m', 1, 1000],
  ['at least 100', 1000, 65_535],
  ['30', 295, 305],
  ['12,5 cm', 120, 130],
  ['8-10 in', 203, 254],
])('size %j means %i to %i mm', (asked, from, to) => {
  expect(readSize('height_cm', asked)).toEqual({ from, to });
});

test.each(['large', '', '20-40-60', '-5', '1e9', '9'.repeat(60)])(
  'size %j is rejected with the expected format',
  (asked) => {
    expect(() => readSize('width_cm', asked)).toThrow('width_cm must be a size in centimetres');
  },
);
