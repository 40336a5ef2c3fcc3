import { expect, test } from 'vitest';
import { type Architecture, expectedShapes } from './architecture.ts';
import { multiplicationsPerPixel } from './model_cost.ts';

const AT_ONE_SIZE: readonly Architecture[] = [
  { kind: 'SRVGGNetCompact', scale: 4, features: 5, convolutions: 2 },
  { kind: 'SPAN', scale: 2, features: 6, blocks: 3 },
  { kind: 'SPAN', scale: 4, features: 6, blocks: 3 },
];

test.each(AT_ONE_SIZE)('$kind ×$scale uses each kernel weight once per pixel', (architecture) => {
  const kernels = [...expectedShapes(architecture).values()].filter(({ length }) => length > 1);
  const numbers = kernels.map((shape) => shape.reduce((product, side) => product * side, 1));
  expect(multiplicationsPerPixel(architecture)).toBe(numbers.reduce((sum, count) => sum + count, 0));
});
