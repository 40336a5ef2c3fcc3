import { expect, test } from 'vitest';
import { noiseWeights } from '../../../../../tests/support/noise_weights.ts';
import { expectedShapes, SPAN_MEAN } from '../architecture.ts';
import { readNcnn } from './read_ncnn.ts';

const SPAN = { kind: 'SPAN', scale: 2, features: 3, blocks: 1 } as const;

/** As ncnn writes it: each kernel follows a word that distinguishes 16 from 32 bits. */
function written(isHalf: boolean): Buffer {
  const parts: Uint8Array[] = [new Uint8Array(SPAN_MEAN.buffer)];
  for (const { shape, data } of noiseWeights(SPAN).values()) {
    const isKernel = shape.length > 1;
    if (isKernel) parts.push(new Uint8Array(Uint32Array.of(isHalf ? 0x01306b47 : 0).buffer));
    const numbers = isKernel && isHalf ? Float16Array.from(data) : data.slice();
    parts.push(new Uint8Array(numbers.buffer), Buffer.alloc((4 - (numbers.byteLength % 4)) % 4));
  }
  return Buffer.concat(parts);
}

test.each([true, false])('weights are assigned the names and shapes of the model (16 bits: %s)', (isHalf) => {
  const read = readNcnn(written(isHalf), SPAN);
  expect([...read].map(([name, { shape }]) => [name, shape])).toEqual([...expectedShapes(SPAN)]);
  for (const [name, { data }] of noiseWeights(SPAN))
    expect(read.get(name)!.data.every((value, at) => Math.abs(value - data[at]!) < 1e-3)).toBe(true);
});

test.each([
  ['truncated', (bytes: Buffer) => bytes.subarray(0, -1), 'is truncated'],
  ['empty', () => Buffer.alloc(0), 'is truncated'],
  ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(4)]), 'is longer'],
  ['different at its start', (bytes: Buffer) => bytes.fill(0, 0, 4), 'does not match'],
  ['quantised', (bytes: Buffer) => bytes.fill(7, 12, 16), 'neither 16 nor 32 bits'],
])('a file that is %s is rejected', (_what, change, words) => {
  expect(() => readNcnn(change(written(true)), SPAN)).toThrow(words);
});
