import { type Tensors, WeightsError } from '../../onnx/tensors.ts';

/**
 * Interpolates between two models with the same layers: `share` times the weights of the first plus the rest of the second. Works if one
 * was fine-tuned from the other. X. Wang and others, Deep Network Interpolation, 2019
 * @param share of the first, 0 to 1; at either end the weights are exactly those of one model
 * @throws WeightsError if their tensors differ in name or shape
 */
export function mixWeights(one: Tensors, other: Tensors, share: number): Tensors {
  const wrong = [...one].find(([name, { shape }]) => other.get(name)?.shape.join() !== shape.join());
  if (wrong || one.size !== other.size)
    throw new WeightsError('Two networks can be mixed only if their tensors have the same names and shapes.');
  return new Map(
    [...one].map(([name, { shape, data }]) => {
      const { data: second } = other.get(name)!;
      return [name, { shape, data: data.map((value, at) => share * value + (1 - share) * second[at]!) }];
    }),
  );
}
