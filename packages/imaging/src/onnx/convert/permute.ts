import type { QuantizedTensor, Tensor } from '../tensors.ts';

/** Transposes a tensor: dimension `at` of the result is dimension `order[at]` of the input. */
export function permute<Weights extends Tensor | QuantizedTensor>(
  weights: Weights,
  order: readonly number[],
): Weights {
  const { shape, data } = weights;
  const strides = shape.map((_, side) => shape.slice(side + 1).reduce((product, next) => product * next, 1));
  const sides = order.map((side) => shape[side]!);
  const steps = order.map((side) => strides[side]!);
  const moved = data instanceof Float32Array ? new Float32Array(data.length) : new Uint8Array(data.length);
  const place = sides.map(() => 0);
  let from = 0;
  for (let to = 0; to < data.length; to += 1) {
    moved[to] = data[from]!;
    // Increments like an odometer: last dimension first.
    for (let side = sides.length - 1; side >= 0; side -= 1) {
      place[side]! += 1;
      from += steps[side]!;
      if (place[side]! < sides[side]!) break;
      from -= steps[side]! * sides[side]!;
      place[side] = 0;
    }
  }
  return { ...weights, shape: sides, data: moved };
}
