import { expect, test } from 'vitest';
import { throttleProgress } from './execute.ts';

function heard(describeCoercion: readonly (readonly [number, string])[]): [number, string][] {
  const reports: [number, string][] = [];
  const emit = throttleProgress((fraction, message) => reports.push([fraction, message]));
  for (const [fraction, message] of describeCoercion) emit(fraction, message);
  return reports;
}

test('progress of long work is reported in steps of five percent, whatever it counts', () => {
  const rows = Array.from({ length: 1000 }, (_, row) => [row / 999, `Printing row ${row} of 999`] as const);
  const fractions = heard(rows).map(([fraction]) => fraction);

  expect(fractions).toHaveLength(21);
  expect(fractions.every((fraction) => Number.isInteger(Math.round(fraction * 1e6) / 1e4))).toBe(true);
  expect(fractions.at(-1)).toBe(1);
});

test('other words are news at once', () => {
  expect(
    heard([
      [0.1, 'Decoding'],
      [0.11, 'Decoding'],
      [0.12, 'Printing'],
    ]),
  ).toEqual([
    [0.1, 'Decoding'],
    [0.12, 'Printing'],
  ]);
});

test('progress is never repeated, never falls and never leaves its bounds', () => {
  expect(
    heard([
      [0.5, 'a'],
      [0.5, 'b'],
      [0.2, 'c'],
      [Number.NaN, 'd'],
      [7, 'e'],
      [1, 'f'],
    ]),
  ).toEqual([
    [0.5, 'a'],
    [1, 'e'],
  ]);
});
