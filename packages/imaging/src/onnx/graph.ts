import { bytes, float, integer, type Pieces, text } from './protobuf.ts';
import type { Port } from './read_weights.ts';
import type { QuantizedTensor, Tensor } from './tensors.ts';

/** Attributes of a node: an integer, a list of integers, a float (by `float`) or a string. */
export type Attributes = Readonly<Record<string, number | readonly number[] | string | { float: number }>>;

/** ONNX 1.12, supported by onnxruntime since 2022. */
const OPERATOR_SET = 17;
const FILE_VERSION = 8;

// Field numbers and types: https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto
const FLOAT = 1;
const UINT8 = 2;
const INT64 = 7;
const BOOL = 9;
const TYPES = { float: FLOAT, int64: INT64, bool: BOOL } as const;

/** An input with all its dimensions. */
export interface TypedPort extends Port {
  readonly type: keyof typeof TYPES;
}

/** Inputs and outputs of a graph. Default: images with three channels, any batch and image size. */
export interface Ports {
  /** Dimensions of one image: channels, height, width; a name if dynamic. */
  readonly input?: readonly (number | string)[];
  /** Replaces `input`. */
  readonly inputs?: readonly TypedPort[];
  readonly outputs?: readonly Port[];
}

const OUTPUT: Port = { name: 'output', sides: [] };

/** Builds an ONNX graph node by node. Methods return the name of their output, an input for later nodes. */
export class Graph {
  readonly #nodes: Pieces[] = [];
  readonly #initializers = new Map<string, Pieces>();

  /** @param name of its output. Default: a generated one */
  node(operator: string, inputs: readonly string[], attributes: Attributes = {}, name?: string): string {
    const output = name ?? `${operator}_${this.#nodes.length}`;
    this.#nodes.push(
      bytes(1, [
        ...inputs.flatMap((input) => text(1, input)),
        ...text(2, output),
        ...text(4, operator),
        ...Object.entries(attributes).flatMap(([key, value]) => bytes(5, attribute(key, value))),
      ]),
    );
    return output;
  }

  /** Adds weights as an initializer. */
  weights(name: string, { shape, data }: Tensor): string {
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#initializers.set(name, tensor(name, FLOAT, shape, raw));
    return name;
  }

  /**
   * Adds 8-bit weights, which stay 8-bit in the file. onnxruntime folds this expression into a constant once, at load time; it would evaluate the
   * equivalent DequantizeLinear in every run, which takes a MobileNet twice as long.
   */
  quantized(name: string, { shape, data, ...meant }: QuantizedTensor): string {
    const kept = `${name}_bytes`;
    this.#initializers.set(kept, tensor(kept, UINT8, shape, data));
    const number = (what: keyof typeof meant) => this.weights(`${name}_${what}`, scalar(meant[what]));
    const steps = this.node('Sub', [this.node('Cast', [kept], { to: FLOAT }), number('zero')]);
    const scaled = this.node('Mul', [steps, number('scale')]);
    return this.node('Add', [scaled, number('shift')], {}, name);
  }

  /** Serialises the graph with the batch of images as `input` and the float `outputs`. */
  toModel({
    input = [3, 'height', 'width'],
    inputs = [{ name: 'input', sides: ['batch', ...input], type: 'float' }],
    outputs = [OUTPUT],
  }: Ports = {}): Uint8Array {
    const graph = [
      ...this.#nodes.flat(),
      ...text(2, 'network'),
      ...[...this.#initializers.values()].flat(),
      ...inputs.flatMap(({ name, sides, type }) => bytes(11, valueInfo(name, sides, TYPES[type]))),
      ...outputs.flatMap(({ name, sides }) => bytes(12, valueInfo(name, sides))),
    ];
    return Buffer.concat([
      ...integer(1, FILE_VERSION),
      ...text(2, 'atelier'),
      ...bytes(7, graph),
      ...bytes(8, integer(2, OPERATOR_SET)),
    ]);
  }

  /** A small constant input of a node, such as sizes. */
  constant(name: string, values: readonly number[], type: 'float' | 'int64'): string {
    const raw = type === 'float' ? Float32Array.from(values) : BigInt64Array.from(values.map(BigInt));
    const numbers = tensor(
      name,
      type === 'float' ? FLOAT : INT64,
      [values.length],
      new Uint8Array(raw.buffer),
    );
    this.#initializers.set(name, numbers);
    return name;
  }
}

/** A tensor without dimensions. */
export const scalar = (value: number): Tensor => ({ shape: [], data: Float32Array.of(value) });

function attribute(name: string, value: Attributes[string]): Pieces {
  if (typeof value === 'number') return [...text(1, name), ...integer(3, value), ...integer(20, 2)];
  if (typeof value === 'string') return [...text(1, name), ...text(4, value), ...integer(20, 3)];
  if ('float' in value) return [...text(1, name), ...float(2, value.float), ...integer(20, 1)];
  return [...text(1, name), ...value.flatMap((item) => integer(8, item)), ...integer(20, 7)];
}

function tensor(name: string, type: number, shape: readonly number[], raw: Uint8Array): Pieces {
  const dimensions = shape.flatMap((side) => integer(1, side));
  return bytes(5, [...dimensions, ...integer(2, type), ...text(8, name), ...bytes(9, [raw])]);
}

/** Without dimensions, the shape is inferred by the reader. */
function valueInfo(name: string, sides: readonly (string | number)[], type: number = FLOAT): Pieces {
  const dimension = (side: string | number) => (typeof side === 'string' ? text(2, side) : integer(1, side));
  const shape =
    sides.length > 0
      ? bytes(
          2,
          sides.flatMap((side) => bytes(1, dimension(side))),
        )
      : [];
  return [...text(1, name), ...bytes(2, bytes(1, [...integer(1, type), ...shape]))];
}
