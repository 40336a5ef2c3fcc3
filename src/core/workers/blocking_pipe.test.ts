import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { valuesFrom, writeValue } from './blocking_pipe.ts';
import { frameOf } from './frames.ts';

let folder = '';
const file = () => join(folder, 'pipe');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-pipe-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (values: unknown[]) => {
  const fd = openSync(file(), 'w');
  for (const value of values) writeValue(fd, value);
  closeSync(fd);
};
/** A value is valid only until the next one is read, so it is copied. */
const read = (): unknown[] => {
  const fd = openSync(file(), 'r');
  const values = Array.from(valuesFrom(fd), (value) => structuredClone(value));
  closeSync(fd);
  return values;
};

test('values arrive complete and in order, even if larger than the buffer', () => {
  const large = { bytes: new Uint8Array(3_000_001).fill(7), more: [new Float32Array([0.5, 2])] };
  const values = [{ a: 1 }, large, { bytes: new Uint8Array([1, 2, 3]) }, '', undefined, large];
  write(values);
  expect(read()).toEqual(values);
});

test('a long part is read from the input file', () => {
  const image = new Uint8Array(100_000).fill(7);
  const fd = openSync(file(), 'w');
  for (const piece of frameOf({ image, mask: new Uint8Array(50_000) }, () => true)) writeSync(fd, piece);
  closeSync(fd);
  expect(statSync(file()).size).toBeLessThan(51_000);
  const [value] = valuesFrom(openSync(file(), 'r'), (bytes) => image.subarray(0, bytes));
  expect(value).toEqual({ image, mask: new Uint8Array(50_000) });
});

test('a truncated value is ignored', () => {
  write([{ a: 1 }, new Uint8Array(10)]);
  truncateSync(file(), statSync(file()).size - 1);
  expect(read()).toEqual([{ a: 1 }]);
});
