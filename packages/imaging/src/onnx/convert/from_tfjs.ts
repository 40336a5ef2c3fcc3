import { elementsOf, type QuantizedTensor, type Tensor, WeightsError } from '../tensors.ts';
import {
  type Activation,
  DESCRIPTION_BYTES_MAX,
  NETWORK_NUMBERS_MAX,
  PARTS_MAX,
  type Padding,
  PictureNetwork,
  type Value,
} from './picture_network.ts';

/** A network of layers as TensorFlow.js keeps it: a description in JSON, and weights in files beside it. */
interface TfjsFile {
  readonly layers: readonly TfjsLayer[];
  /** The layer whose answer is the network's. */
  readonly output: string;
  /** By their names, such as "Conv1/kernel", in 8 bits as they are kept. @throws WeightsError where there are none of that name */
  weights(name: string): QuantizedTensor;
  /** The same as floats. */
  floats(name: string): Tensor;
}

interface TfjsLayer {
  readonly name: string;
  /** Its kind, as Keras calls it. */
  readonly kind: string;
  /** How it works; untrusted. */
  readonly told: Told;
  /** Layers it takes from. */
  readonly from: readonly string[];
}

/** An object of a description: nothing about it is known. */
type Told = Readonly<Record<string, unknown>>;

const MARK = 'modelTopology';

/** Whether it may be the description of a TensorFlow.js network. */
export const isTfjs = (file: Uint8Array): boolean =>
  file[0] === 0x7b && file.length <= DESCRIPTION_BYTES_MAX && Buffer.from(file).includes(`"${MARK}"`);

/**
 * Reads a TensorFlow.js network of layers; nothing in it is run.
 * @param beside gives the bytes of a file of weights by its name; undefined where it is not there
 * @throws WeightsError for what is damaged, missing or of another kind
 */
function readTfjs(file: Uint8Array, beside: (name: string) => Uint8Array | undefined): TfjsFile {
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
function told(value: unknown): Told {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Told;
  throw new WeightsError('The description of the network has something else where an object belongs.');
}

/** @throws WeightsError for what is no list, or too long a one */
function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= PARTS_MAX) return value;
  throw new WeightsError('The description of the network has something else where a list belongs.');
}

function word(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WeightsError('The description of the network has something else where a name belongs.');
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/**
 * A network for pictures in the files of a TensorFlow.js layers model with weights of 8 bits, as an ONNX graph: `input` float32
 * (batch, channels, height, width), `scores` what comes out. The same files give the same bytes.
 * @param file the description, model.json
 * @param beside gives the bytes of a file of weights by its name; undefined where it is not there
 * @throws WeightsError for damaged files, and for what we do not know, by its name
 */
export function fromTfjs(file: Uint8Array, beside: (name: string) => Uint8Array | undefined): Uint8Array {
  const read = readTfjs(file, beside);
  const [first, ...layers] = read.layers;
  const network = new PictureNetwork(pictureSides(first));
  const values = new Map([[first!.name, network.input]]);
  for (const layer of layers) {
    const from = layer.from.map((name) => values.get(name));
    if (from.length === 0 || !from.every((value) => value !== undefined))
      throw new WeightsError(`The layer "${layer.name.slice(0, 80)}" is given what nothing before it makes.`);
    const make = (LAYERS as Readonly<Record<string, Make>>)[layer.kind];
    if (!make || !Object.hasOwn(LAYERS, layer.kind))
      throw new WeightsError(
        `The network has a layer ${layer.kind.slice(0, 80)} ("${layer.name.slice(0, 80)}"), which cannot be converted. Known are: ${Object.keys(LAYERS).join(', ')}.`,
      );
    values.set(layer.name, make({ network, read, layer, from: from[0]!, other: from[1] }));
  }
  const last = values.get(read.output);
  if (!last) throw new WeightsError('Nothing in the TensorFlow.js network makes its output.');
  return network.toModel(last);
}

interface Making {
  readonly network: PictureNetwork;
  readonly read: TfjsFile;
  readonly layer: TfjsLayer;
  readonly from: Value;
  readonly other: Value | undefined;
}
type Make = (making: Making) => Value;

const LAYERS = {
  ZeroPadding2D: ({ network, layer, from }) => {
    const [[top, bottom] = [], [left, right] = []] = list(layer.told.padding).map(
      (edges) => list(edges) as number[],
    );
    return network.pad(from, [top!, left!, bottom!, right!]);
  },
  Conv2D: (making) => convolution(making, 'kernel', (kernel) => permute(kernel, [3, 2, 0, 1])),
  DepthwiseConv2D: (making) => convolution(making, 'depthwise_kernel', depthwiseKernel),
  BatchNormalization: ({ network, read, layer: { name, told: how }, from }) => {
    if (![-1, 3].includes(how.axis as number) || how.scale !== true || how.center !== true)
      throw notKnown(name, 'an axis, a scale or a centre');
    return network.normalize(name, from, {
      gamma: read.floats(`${name}/gamma`),
      beta: read.floats(`${name}/beta`),
      mean: read.floats(`${name}/moving_mean`),
      variance: read.floats(`${name}/moving_variance`),
      epsilon: number(how.epsilon, name),
    });
  },
  ReLU: ({ network, layer: { name, told: how }, from }) => {
    const kinds = new Map<unknown, Activation>([
      [6, 'relu6'],
      [null, 'relu'],
    ]);
    const activation = kinds.get(how.max_value ?? null);
    if (!activation || (how.negative_slope ?? 0) !== 0 || (how.threshold ?? 0) !== 0)
      throw notKnown(name, 'a bound, a slope or a threshold');
    return network.activate(from, activation);
  },
  Add: ({ network, layer: { name }, from, other }) => {
    if (!other) throw notKnown(name, 'one input alone');
    return network.add(from, other);
  },
  AveragePooling2D: ({ network, layer, from }) =>
    network.averagePool(from, { ...windowOf(layer), size: pair(layer.told.pool_size) }),
  Flatten: ({ network, from }) => network.flatten(from),
  /** Drops nothing once a network is trained. */
  Dropout: ({ from }) => from,
  Dense: ({ network, read, layer, from }) => {
    const made = network.dense(layer.name, from, {
      kernel: read.weights(`${layer.name}/kernel`),
      bias: biasOf(read, layer),
    });
    return activated(network, layer, made);
  },
} as const satisfies Record<string, Make>;

function convolution(
  { network, read, layer, from }: Making,
  suffix: 'kernel' | 'depthwise_kernel',
  order: (kernel: QuantizedTensor) => QuantizedTensor,
): Value {
  const kernel = read.weights(`${layer.name}/${suffix}`);
  if (kernel.shape.length !== 4) throw notKnown(layer.name, 'a kernel without four sides');
  if (pair(layer.told.dilation_rate).some((rate) => rate !== 1)) throw notKnown(layer.name, 'a dilation');
  const made = network.convolution(from, {
    name: layer.name,
    kernel: order(kernel),
    bias: biasOf(read, layer),
    groups: suffix === 'kernel' ? 1 : from.sides[0]!,
    ...windowOf(layer),
  });
  return activated(network, layer, made);
}

/** (height, width, in, answers for each) to (in × answers, 1, height, width) */
function depthwiseKernel(kernel: QuantizedTensor): QuantizedTensor {
  const [height = 0, width = 0, inside = 0, each = 0] = kernel.shape;
  return permute({ ...kernel, shape: [height, width, 1, inside * each] }, [3, 2, 0, 1]);
}

function activated(network: PictureNetwork, { name, told: how }: TfjsLayer, value: Value): Value {
  const kinds = new Map<unknown, Activation>([
    ['linear', 'none'],
    ['relu', 'relu'],
    ['softmax', 'softmax'],
  ]);
  const activation = kinds.get(how.activation);
  if (!activation) throw notKnown(name, `the activation ${String(how.activation).slice(0, 40)}`);
  return network.activate(value, activation);
}

const biasOf = (read: TfjsFile, { name, told: how }: TfjsLayer): Tensor | undefined =>
  how.use_bias === true ? read.floats(`${name}/bias`) : undefined;

function windowOf({ name, told: how }: TfjsLayer): { strides: [number, number]; padding: Padding } {
  const { padding, strides } = how;
  if (how.data_format !== 'channels_last') throw notKnown(name, 'channels that are not last');
  if (padding !== 'same' && padding !== 'valid') throw notKnown(name, 'a padding');
  return { strides: pair(strides), padding };
}

/** What the first layer takes: a picture, its channels last. */
function pictureSides(layer: TfjsLayer | undefined): number[] {
  if (layer?.kind !== 'InputLayer') throw new WeightsError('The TensorFlow.js network begins with no input.');
  const [, height, width, channels, ...more] = list(told(layer.told).batch_input_shape) as number[];
  if (more.length > 0) throw new WeightsError('The TensorFlow.js network takes no pictures.');
  return [channels!, height!, width!];
}

/** @throws WeightsError for anything but two; that they are numbers is checked where they are used */
function pair(value: unknown): [number, number] {
  const [one, two, ...more] = list(value);
  if (two === undefined || more.length > 0)
    throw new WeightsError('The description of the network has something else where two sides belong.');
  return [one as number, two as number];
}

function number(value: unknown, name: string): number {
  if (Number.isFinite(value)) return value as number;
  throw notKnown(name, 'an epsilon');
}

const notKnown = (name: string, what: string): WeightsError =>
  new WeightsError(`The layer "${name.slice(0, 80)}" has ${what} that cannot be converted.`);

/** The same numbers with their sides in another order: side `at` of the answer is side `order[at]` of what is given. */
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
    // Counts up like a clock: the last side first.
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
