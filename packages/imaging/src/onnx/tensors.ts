/** Weights of a model by name, in row-major order, always as 32-bit floats. */
export type Tensors = ReadonlyMap<string, Tensor>;

export interface Tensor {
  /** Outermost first: a convolution is (out, in, height, width). */
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** 8-bit weights: each represents scale × (number - zero) + shift. */
export interface QuantizedTensor {
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  readonly scale: number;
  readonly zero: number;
  readonly shift: number;
}

/** Maximum floats in all tensors of one file: four times the largest model in the manifest. */
export const FLOATS_MAX = 64 * 1024 * 1024;
export const TENSORS_MAX = 10_000;
export const DIMENSIONS_MAX = 8;

/** An unusable weight file, with a message for the operator who added it. */
export class WeightsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WeightsError';
  }
}

/**
 * Number of elements of a shape.
 * @throws WeightsError unless it is a short list of integers within `FLOATS_MAX`
 */
export function elementsOf(shape: readonly unknown[], name: string): number {
  const isShape =
    shape.length <= DIMENSIONS_MAX &&
    shape.every((side) => Number.isSafeInteger(side) && (side as number) >= 0);
  const elements = isShape ? (shape as number[]).reduce((product, side) => product * side, 1) : Number.NaN;
  if (elements <= FLOATS_MAX) return elements;
  throw new WeightsError(`The tensor "${name.slice(0, 80)}" has an impossible shape.`);
}
