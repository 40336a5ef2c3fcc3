import { expect, test } from 'vitest';
import type { Tensors } from '../../onnx/tensors.ts';
import { mixWeights } from './mix_weights.ts';

const network = (...numbers: number[]): Tensors =>
  new Map([['body.0.bias', { shape: [numbers.length], data: Float32Array.from(numbers) }]]);

test.each([
  [0, [8, -2]],
  [0.25, [7, -1.5]],
  [1, [4, 0]],
])('weights are mixed with a share of %f of the first', (share, expected) => {
  const mixed = mixWeights(network(4, 0), network(8, -2), share);
  expect([...mixed.get('body.0.bias')!.data]).toEqual(expected);
});

test.each([
  ['different shapes', network(1, 2, 3)],
  ['a surplus tensor', new Map([...network(1, 2), ['body.0.weight', network(1).get('body.0.bias')!]])],
  ['no tensors', new Map()],
] as const)('%s cannot be mixed', (_, other) => {
  expect(() => mixWeights(network(1, 2), other, 0.5)).toThrow('same names and shapes');
});
