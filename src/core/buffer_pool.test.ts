import { expect, test } from 'vitest';
import { acquireBuffer, recycleBuffer, recycleIfPooled } from './buffer_pool.ts';

test('returned memory is reused for the next buffer and detached from earlier views', () => {
  const first = acquireBuffer(600_000);
  const view = first.subarray(10, 20);
  const memory = first.buffer.byteLength;
  first.fill(7);
  recycleBuffer(first);
  expect([first.length, view.length]).toEqual([0, 0]);
  const second = acquireBuffer(700_000);
  expect([second.length, second.buffer.byteLength, second[5]]).toEqual([700_000, memory, 7]);
  recycleBuffer(second);
});

test('only a few buffers are pooled, and small or large ones never', () => {
  const many = Array.from({ length: 17 }, () => acquireBuffer(900_000));
  const others = [acquireBuffer(100), acquireBuffer(9_000_000)];
  for (const bytes of [...many, ...others]) recycleBuffer(bytes);
  const marked = Array.from({ length: 17 }, () => acquireBuffer(900_000));
  expect(new Set(marked.map(({ buffer }) => buffer)).size).toBe(17);
  expect(others.map(({ length }) => length)).toEqual([0, 0]);
});

test('memory of other origin is left alone', () => {
  const own = Buffer.from('bytes of the caller');
  recycleIfPooled(own);
  expect(own.toString()).toBe('bytes of the caller');
});
