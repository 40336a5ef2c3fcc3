import { expect, test } from 'vitest';
import { type Tensors, WeightsError } from '../../onnx/tensors.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

const tensors: Tensors = new Map([
  ['b', { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }],
  ['a', { shape: [1], data: Float32Array.of(-0.5) }],
]);
const file = writeSafetensors(tensors);

test('equal weights give equal bytes in any order', () => {
  expect(writeSafetensors(new Map([...tensors].reverse()))).toEqual(file);
  expect(Object.fromEntries(readSafetensors(file))).toEqual(Object.fromEntries(tensors));
});

test('half floats round-trip exactly', () => {
  const half = writeSafetensors(tensors, { half: true });
  expect(half.length).toBe(file.length - 10);
  expect(Object.fromEntries(readSafetensors(half))).toEqual(Object.fromEntries(tensors));
});

const withHeader = (header: unknown, body = 8): Uint8Array => {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.alloc(body)]);
};
const entry = (more: object) =>
  withHeader({ a: { dtype: 'F32', shape: [2], data_offsets: [0, 8], ...more } });
const outcome = (bytes: Uint8Array): string => {
  try {
    readSafetensors(bytes);
    return 'read';
  } catch (error) {
    if (error instanceof WeightsError) return error.message;
    throw error;
  }
};

test('half floats are converted to 32-bit floats', () => {
  const data = readSafetensors(entry({ dtype: 'F16', shape: [4] })).get('a')?.data;
  expect(data).toEqual(new Float32Array(4));
});

test.each([
  ['an empty file', new Uint8Array(0), 'not a safetensors file'],
  ['a header past the end', file.subarray(0, 20), 'not a safetensors file'],
  ['a truncated body', file.subarray(0, file.length - 1), 'are missing'],
  ['a header that is not JSON', withHeader('{"a": '), 'damaged'],
  ['a header that is a list', withHeader([]), 'damaged'],
  ['integers', entry({ dtype: 'I64' }), '16-bit floats'],
  ['no offsets', entry({ data_offsets: null }), '16-bit floats'],
  ['offsets before the start', entry({ data_offsets: [-8, 0] }), 'are missing'],
  ['a shape of another size', entry({ shape: [3] }), 'are missing'],
  ['a negative dimension', entry({ shape: [-2, -1] }), 'impossible shape'],
  ['an enormous shape', entry({ shape: [1e9, 1e9] }), 'impossible shape'],
  ['a list instead of a tensor', withHeader({ a: [] }), '16-bit floats'],
])('%s is rejected with an explanation', (_what, bytes, words) => {
  expect(outcome(bytes)).toContain(words);
});
