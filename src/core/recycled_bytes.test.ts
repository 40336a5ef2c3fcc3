import { expect, test } from 'vitest';
import { giveBackBytes, takeBytes } from './recycled_bytes.ts';

test('returned memory is reused for the next buffer and detached from earlier views', () => {
  const first = takeBytes(600_000);
  const view = first.subarray(10, 20);
  const memory = first.buffer.byteLength;
  first.fill(7);
  giveBackBytes(first);
  expect([first.length, view.length]).toEqual([0, 0]);
  const second = takeBytes(700_000);
  expect([second.length, second.buffer.byteLength, second[5]]).toEqual([700_000, memory, 7]);
  giveBackBytes(second);
});

test('only a few buffers are pooled, and small or large ones never', () => {
  const many = Array.from({ length: 9 }, () => takeBytes(900_000));
  const others = [takeBytes(100), takeBytes(9_000_000)];
  for (const bytes of [...many, ...others]) giveBackBytes(bytes);
  const marked = Array.from({ length: 9 }, () => takeBytes(900_000));
  expect(new Set(marked.map(({ buffer }) => buffer)).size).toBe(9);
  expect(others.map(({ length }) => length)).toEqual([0, 0]);
});
