import { type QuantizedTensor, type Tensor, WeightsError } from '../tensors.ts';
import { fromTfjsGraph } from './from_tfjs_graph.ts';
import { permute } from './permute.ts';
import { type Activation, type Padding, PictureNetwork, type Value } from './picture_network.ts';
import {
  type Beside,
  type JsonObject,
  listIn,
  objectIn,
  readTfjs,
  short,
  type TfjsFile,
  textIn,
} from './tfjs_file.ts';

/** A model of layers. */
interface Layers {
  readonly layers: readonly TfjsLayer[];
  /** The layer with the model's output. */
  readonly output: string;
  /** 8-bit weights by name, such as "Conv1/kernel". @throws WeightsError for an unknown name */
  weights(name: string): QuantizedTensor;
  /** The same as floats. */
  floats(name: string): Tensor;
}

interface TfjsLayer {
  readonly name: string;
  /** Keras class of the layer. */
  readonly kind: string;
  /** Its configuration; untrusted. */
  readonly told: JsonObject;
  /** Its input layers. */
  readonly from: readonly string[];
}

function layersOf(file: TfjsFile): Layers {
  const config = objectIn(objectIn(file.topology.model_config).config);
  const layers = listIn(config.layers).map(readLayer);
  const [output, ...more] = listIn(config.output_layers).map((place) => textIn(listIn(place)[0]));
  if (output === undefined || more.length > 0)
    throw new WeightsError('The TensorFlow.js network has not one output.');
  const weights = (name: string): QuantizedTensor => {
    const { shape, data, form, scale, min } = file.weights(name);
    if (form === 'uint8') return { shape, data, scale, zero: 0, shift: min };
    throw new WeightsError(`The weights "${short(name)}" are not kept in 8 bits.`);
  };
  return { layers, output, weights, floats: (name) => floatsOf(weights(name)) };
}

function readLayer(item: unknown): TfjsLayer {
  const { name, class_name: kind, config, inbound_nodes: nodes } = objectIn(item);
  const calls = listIn(nodes).map((call) => listIn(call).map((place) => textIn(listIn(place)[0])));
  if (calls.length > 1) throw new WeightsError(`The layer "${short(textIn(name))}" is used more than once.`);
  return { name: textIn(name), kind: textIn(kind), told: objectIn(config), from: calls[0] ?? [] };
}

const floatsOf = ({ shape, data, scale, shift }: QuantizedTensor): Tensor => ({
  shape,
  data: Float32Array.from(data, (number) => scale * number + shift),
});

/**
 * Converts a TensorFlow.js image model to an ONNX graph: layers with 8-bit weights, or nodes with 16-bit floats (`fromTfjsGraph`). `input` is float32
 * (batch, channels, height, width), `scores` is its output. Deterministic.
 * @param file the description, model.json
 * @throws WeightsError for damaged files, and for unsupported layers by name
 */
export function fromTfjs(file: Uint8Array, beside: Beside): Uint8Array {
  const kept = readTfjs(file, beside);
  return kept.topology.model_config === undefined ? fromTfjsGraph(kept) : fromLayers(layersOf(kept));
}

function fromLayers(read: Layers): Uint8Array {
  const [first, ...layers] = read.layers;
  const network = new PictureNetwork(pictureSides(first));
  const values = new Map([[first!.name, network.input]]);
  for (const layer of layers) {
    const from = layer.from.map((name) => values.get(name));
    if (from.length === 0 || !from.every((value) => value !== undefined))
      throw new WeightsError(`The layer "${short(layer.name)}" has an input that no earlier layer produces.`);
    const make = (LAYERS as Readonly<Record<string, Make>>)[layer.kind];
    if (!make || !Object.hasOwn(LAYERS, layer.kind))
      throw new WeightsError(
        `The network has a layer ${short(layer.kind)} ("${short(layer.name)}"), which cannot be converted. Known are: ${Object.keys(LAYERS).join(', ')}.`,
      );
    values.set(layer.name, make({ network, read, layer, from: from[0]!, other: from[1] }));
  }
  const last = values.get(read.output);
  if (!last) throw new WeightsError('Nothing in the TensorFlow.js network makes its output.');
  return network.toModel(last);
}

interface Making {
  readonly network: PictureNetwork;
  readonly read: Layers;
  readonly layer: TfjsLayer;
  readonly from: Value;
  readonly other: Value | undefined;
}
type Make = (making: Making) => Value;

const LAYERS = {
  ZeroPadding2D: ({ network, layer, from }) => {
    const [[top, bottom] = [], [left, right] = []] = listIn(layer.told.padding).map(
      (edges) => listIn(edges) as number[],
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
  /** Inactive at inference. */
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

/** (height, width, in, multiplier) to (in × multiplier, 1, height, width) */
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

const biasOf = (read: Layers, { name, told: how }: TfjsLayer): Tensor | undefined =>
  how.use_bias === true ? read.floats(`${name}/bias`) : undefined;

function windowOf({ name, told: how }: TfjsLayer): { strides: [number, number]; padding: Padding } {
  const { padding, strides } = how;
  if (how.data_format !== 'channels_last') throw notKnown(name, 'channels that are not last');
  if (padding !== 'same' && padding !== 'valid') throw notKnown(name, 'a padding');
  return { strides: pair(strides), padding };
}

/** The input of the first layer: an image with channels last. */
function pictureSides(layer: TfjsLayer | undefined): number[] {
  if (layer?.kind !== 'InputLayer') throw new WeightsError('The TensorFlow.js network begins with no input.');
  const [, height, width, channels, ...more] = listIn(objectIn(layer.told).batch_input_shape) as number[];
  if (more.length > 0) throw new WeightsError('The TensorFlow.js network takes no pictures.');
  return [channels!, height!, width!];
}

/** @throws WeightsError unless there are two; their types are checked by the users */
function pair(value: unknown): [number, number] {
  const [one, two, ...more] = listIn(value);
  if (two === undefined || more.length > 0)
    throw new WeightsError('The description of the network has something else where two sides belong.');
  return [one as number, two as number];
}

function number(value: unknown, name: string): number {
  if (Number.isFinite(value)) return value as number;
  throw notKnown(name, 'an epsilon');
}

const notKnown = (name: string, what: string): WeightsError =>
  new WeightsError(`The layer "${short(name)}" has ${what} that cannot be converted.`);
