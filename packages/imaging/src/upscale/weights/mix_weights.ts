import { type Tensors, WeightsError } from '../../onnx/tensors.ts';

/**
 * A network between two of the same layers: each number is `share` times that of the first and the rest of the second, which works
 * where one of them was taught on from the other. X. Wang and others, Deep Network Interpolation, 2019
 * @param share of the first, 0 to 1; at either end the numbers are exactly those of one
 * @throws WeightsError where their tensors differ by name or shape
 */
export function mixWeights(one: Tensors, other: Tensors, share: number): Tensors {
  const wrong = [...one].find(([name, { shape }]) => other.get(name)?.shape.join() !== shape.join());
  if (wrong || one.size !== other.size)
    throw new WeightsError(
      'Two networks can be mixed only where their tensors have the same names and shapes.',
    );
  return new Map(
    [...one].map(([name, { shape, data }]) => {
      const { data: second } = other.get(name)!;
      return [name, { shape, data: data.map((value, at) => share * value + (1 - share) * second[at]!) }];
    }),
  );
}
