import { elementsOf, type QuantizedTensor, type Tensor, WeightsError } from '../tensors.ts';
import { DESCRIPTION_BYTES_MAX, NETWORK_NUMBERS_MAX, PARTS_MAX } from './limits.ts';

/** A network of layers as TensorFlow.js keeps it: a description in JSON, and weights in files beside it. */
export interface TfjsFile {
  readonly layers: readonly TfjsLayer[];
  /** The layer whose answer is the network's. */
  readonly output: string;
  /** By their names, such as "Conv1/kernel", in 8 bits as they are kept. @throws WeightsError where there are none of that name */
  weights(name: string): QuantizedTensor;
  /** The same as floats. */
  floats(name: string): Tensor;
}

export interface TfjsLayer {
  readonly name: string;
  /** Its kind, as Keras calls it. */
  readonly kind: string;
  /** How it works; untrusted. */
  readonly told: Told;
  /** Layers it takes from. */
  readonly from: readonly string[];
}

/** An object of a description: nothing about it is known. */
export type Told = Readonly<Record<string, unknown>>;

const MARK = 'modelTopology';

/** Whether it may be the description of a TensorFlow.js network. */
export const isTfjs = (file: Uint8Array): boolean =>
  file[0] === 0x7b && file.length <= DESCRIPTION_BYTES_MAX && Buffer.from(file).includes(`"${MARK}"`);

/**
 * Reads a TensorFlow.js network of layers; nothing in it is run.
 * @param beside gives the bytes of a file of weights by its name; undefined where it is not there
 * @throws WeightsError for what is damaged, missing or of another kind
 */
export function readTfjs(file: Uint8Array, beside: (name: string) => Uint8Array | undefined): TfjsFile {
  if (file.length > DESCRIPTION_BYTES_MAX)
    throw new WeightsError('The description of the network is longer than any of ours.');
  const whole = told(parse(file));
  const { [MARK]: topology, weightsManifest } = whole;
  if (whole.format === 'graph-model' || told(topology).model_config === undefined)
    throw new WeightsError('The file is a TensorFlow.js graph model; a layers model can be converted.');
  const config = told(told(told(topology).model_config).config);
  const layers = list(config.layers).map(readLayer);
  const [output, ...more] = list(config.output_layers).map((place) => word(list(place)[0]));
  if (output === undefined || more.length > 0)
    throw new WeightsError('The TensorFlow.js network has not one output.');
  const found = new Map(list(weightsManifest).flatMap((group) => readGroup(told(group), beside)));
  const get = (name: string): QuantizedTensor => {
    const weights = found.get(name);
    if (!weights) throw new WeightsError(`The TensorFlow.js network has no weights "${name.slice(0, 80)}".`);
    return weights;
  };
  return { layers, output, weights: get, floats: (name) => floatsOf(get(name)) };
}

function readLayer(item: unknown): TfjsLayer {
  const { name, class_name: kind, config, inbound_nodes: nodes } = told(item);
  const calls = list(nodes).map((call) => list(call).map((place) => word(list(place)[0])));
  if (calls.length > 1)
    throw new WeightsError(`The layer "${word(name).slice(0, 80)}" is used more than once.`);
  return { name: word(name), kind: word(kind), told: told(config), from: calls[0] ?? [] };
}

/** Weights lie one after the other in the files of their group, which are read as one. */
function readGroup(
  { paths, weights }: Told,
  beside: (name: string) => Uint8Array | undefined,
): [name: string, weights: QuantizedTensor][] {
  const data = Buffer.concat(list(paths).map((path) => shard(word(path), beside)));
  let at = 0;
  const read = list(weights).map((item): [string, QuantizedTensor] => {
    const { name, shape, quantization } = told(item);
    const { dtype, scale, min } = told(quantization ?? {});
    if (dtype !== 'uint8' || !isNumber(scale) || !isNumber(min))
      throw new WeightsError(`The weights "${word(name).slice(0, 80)}" are not kept in 8 bits.`);
    const sides = list(shape) as number[];
    const length = elementsOf(sides, word(name));
    at += length;
    const numbers = data.subarray(at - length, at);
    return [word(name), { shape: sides, data: numbers, scale, zero: 0, shift: min }];
  });
  if (at !== data.length)
    throw new WeightsError(`The weights are ${data.length} bytes, and their description says ${at}.`);
  return read;
}

function shard(name: string, beside: (name: string) => Uint8Array | undefined): Uint8Array {
  const bytes = beside(name);
  if (!bytes)
    throw new WeightsError(
      `The weights of the network are in "${name.slice(0, 80)}", which is not beside it.`,
    );
  if (bytes.length > NETWORK_NUMBERS_MAX)
    throw new WeightsError(`"${name.slice(0, 80)}" holds more numbers than any network of ours.`);
  return bytes;
}

const floatsOf = ({ shape, data, scale, shift }: QuantizedTensor): Tensor => ({
  shape,
  data: Float32Array.from(data, (number) => scale * number + shift),
});

function parse(file: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(file).toString('utf8'));
  } catch {
    throw new WeightsError('The description of the network is no JSON, or it is cut or altered.');
  }
}

/** @throws WeightsError for what is no object */
export function told(value: unknown): Told {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Told;
  throw new WeightsError('The description of the network has something else where an object belongs.');
}

/** @throws WeightsError for what is no list, or too long a one */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= PARTS_MAX) return value;
  throw new WeightsError('The description of the network has something else where a list belongs.');
}

function word(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WeightsError('The description of the network has something else where a name belongs.');
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);
