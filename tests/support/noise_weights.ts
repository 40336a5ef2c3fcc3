import type { Tensors } from '@atelier/imaging/onnx/tensors.ts';
import { type Architecture, expectedShapes } from '@atelier/imaging/upscale/architecture.ts';

/** Random weights of the right shapes, the same each time and small enough not to overflow. */
export function noiseWeights(architecture: Architecture): Tensors {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
  return new Map(
    [...expectedShapes(architecture)].map(([name, shape]) => {
      const count = shape.reduce((product, side) => product * side, 1);
      const inputs = Math.max(1, count / shape[0]!);
      return [name, { shape, data: Float32Array.from({ length: count }, () => next() / Math.sqrt(inputs)) }];
    }),
  );
}
