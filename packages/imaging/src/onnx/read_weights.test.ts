import { expect, test } from 'vitest';
import { Graph } from './graph.ts';
import { bytes, integer, text } from './protobuf.ts';
import { readOnnx } from './read_weights.ts';
import { WeightsError } from './tensors.ts';

const none = () => undefined;
const graph = new Graph();
graph.weights('a', { shape: [2, 1], data: Float32Array.of(0.5, -3) });
graph.node('Mul', ['input', 'a'], { axis: 1 }, 'output');
const file = graph.toModel();

test('weights and ports with fixed and dynamic dimensions round-trip', () => {
  const { tensors, inputs, outputs } = readOnnx(file, none);
  expect([...tensors]).toEqual([['a', { shape: [2, 1], data: Float32Array.of(0.5, -3) }]]);
  expect(inputs).toEqual([{ name: 'input', sides: ['batch', 3, 'height', 'width'] }]);
  expect(outputs).toEqual([{ name: 'output', sides: [] }]);
});

/** A file with external weights and packed dimensions. */
function withExternal(location: string, offset: string): Uint8Array {
  const pair = (key: string, value: string) => bytes(13, [...text(1, key), ...text(2, value)]);
  const packedSides = bytes(1, [Uint8Array.of(2, 1)]);
  const tensor = [
    ...packedSides,
    ...integer(2, 1),
    ...text(8, 'a'),
    ...pair('location', location),
    ...pair('offset', offset),
  ];
  return Buffer.concat([...bytes(7, bytes(5, tensor))]);
}

test('external weights are requested by file name', () => {
  const beside = new Uint8Array(Float32Array.of(9, 1, 2).buffer);
  const asked: string[] = [];
  const { tensors } = readOnnx(withExternal('w/a.bin', '4'), (name) => {
    asked.push(name);
    return beside;
  });
  expect(asked).toEqual(['w/a.bin']);
  expect([...tensors.values()]).toEqual([{ shape: [2, 1], data: Float32Array.of(1, 2) }]);
});

test('a shape with 1,000,000 packed dimensions is rejected without reading all of them', () => {
  const tensor = [...bytes(1, [new Uint8Array(1_000_000).fill(1)]), ...integer(2, 1), ...text(8, 'a')];
  expect(outcome(Buffer.concat([...bytes(7, bytes(5, tensor))]))).toContain('"a" has an impossible shape');
});

const outcome = (input: Uint8Array): string => {
  try {
    readOnnx(input, none);
    return 'read';
  } catch (error) {
    if (error instanceof WeightsError) return error.message;
    throw error;
  }
};

test('missing external weights are named in the error', () => {
  expect(outcome(withExternal('a.bin', '0'))).toContain('"a" are missing');
});

test.each([
  ['nothing', new Uint8Array(0)],
  ['a zip', Buffer.from('PK\u0003\u0004')],
  ['a text', Buffer.from('hello, this is no graph at all')],
  ['a huge length', Buffer.from('3affffffffffffffff7f', 'hex')],
  ['an endless number', Buffer.from(`3a10${'ff'.repeat(16)}`, 'hex')],
])('%s is not an ONNX graph', (_what, input) => {
  expect(outcome(input)).toMatch(/not an ONNX graph/);
});

test('truncated or corrupted files are rejected or read without unexpected errors', () => {
  for (let at = 0; at < file.length; at += 1) {
    const altered = Uint8Array.from(file);
    altered[at]! ^= 0xff;
    expect(typeof outcome(altered)).toBe('string');
    expect(typeof outcome(file.subarray(0, at))).toBe('string');
  }
});
