import { Graph, scalar } from '../graph.ts';
import { elementsOf, type QuantizedTensor, type Tensor, WeightsError } from '../tensors.ts';

/** Maximum layers and tensors of a model; those of the manifest have under 300. */
export const PARTS_MAX = 10_000;
/** Maximum kernel size and stride, in pixels. */
const KERNEL_SIDE_MAX = 64;
/** Maximum channels that are added or concatenated, and maximum resized side in pixels. */
const CHANNELS_MAX = 4096;
const SIDE_MAX = 4096;
/** Maximum output size of one layer: 13 times the largest of a MobileNet for images of 224 × 224. */
const ANSWER_NUMBERS_MAX = 16 * 1024 * 1024;
/** Maximum size of a description of layers; that of a MobileNet has 129,000 bytes. */
export const DESCRIPTION_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum weights of one model; a MobileNet has 3.6 million. */
export const NETWORK_NUMBERS_MAX = 16 * 1024 * 1024;

/** Weights in the form of the file. */
export type Weights = Tensor | QuantizedTensor;

/** Output of a layer for one image: channels, height and width, or a vector. */
export interface Value {
  readonly name: string;
  readonly sides: readonly number[];
}

export type Padding = 'same' | 'valid';
export type Activation = 'none' | 'relu' | 'relu6' | 'softmax';

interface Window {
  /** Vertical, horizontal. */
  readonly strides: readonly [number, number];
  readonly padding: Padding;
}

interface Convolution extends Window {
  readonly name: string;
  /** (out, in of one group, height, width) */
  readonly kernel: Weights;
  readonly bias?: Tensor | undefined;
  readonly groups: number;
}

type PoolWindow = Window & { readonly size: readonly number[] };
type Edges = readonly [top: number, left: number, bottom: number, right: number];

/** Learned statistics of a batch normalisation, one number per channel. */
export interface Statistics {
  readonly gamma: Tensor;
  readonly beta: Tensor;
  readonly mean: Tensor;
  readonly variance: Tensor;
  readonly epsilon: number;
}

/**
 * Builds an image model as an ONNX graph layer by layer, with channels first. Each layer is checked against the previous one, so the result is valid
 * and bounded. Every method throws WeightsError if the layer does not fit.
 */
export class PictureNetwork {
  readonly #graph = new Graph();
  readonly input: Value;
  #numbers = 0;
  #kept = 0;

  /** @param sides channels, height, width */
  constructor(sides: readonly number[]) {
    this.input = this.#checked('input', sides);
    if (sides.length !== 3) throw new WeightsError('The network takes no pictures.');
  }

  convolution(from: Value, { name, kernel, bias, groups, strides, padding }: Convolution): Value {
    const [out = 0, inside = 0, ...size] = kernel.shape;
    const [channels = 0] = from.sides;
    const fits = kernel.shape.length === 4 && inside * groups === channels && out % groups === 0;
    if (!fits || (bias && bias.data.length !== out)) throw new WeightsError(misfit(name, from, kernel.shape));
    const { pads, sides } = slide(name, from, { size, strides, padding });
    const inputs = [from.name, this.#weights(kernel)];
    if (bias) inputs.push(this.#weights(bias));
    const attributes = { kernel_shape: size, strides, pads, group: groups };
    return this.#checked(this.#graph.node('Conv', inputs, attributes), [out, ...sides]);
  }

  averagePool = (from: Value, window: PoolWindow): Value => this.#pool('AveragePool', from, window);

  maxPool = (from: Value, window: PoolWindow): Value => this.#pool('MaxPool', from, window);

  #pool(operator: 'AveragePool' | 'MaxPool', from: Value, window: PoolWindow): Value {
    const { pads, sides } = slide(operator, from, window);
    const attributes = { kernel_shape: window.size, strides: window.strides, pads };
    return this.#checked(this.#graph.node(operator, [from.name], attributes), [from.sides[0]!, ...sides]);
  }

  /** Pads each channel. @param value of the padding; minus infinity never wins a maximum */
  pad(from: Value, [top, left, bottom, right]: Edges, value = 0): Value {
    requirePicture('A border', from);
    if (![top, left, bottom, right].every((edge) => isWithin(edge, 0)))
      throw new WeightsError('A border has an impossible width.');
    const [channels = 0, height = 0, width = 0] = from.sides;
    const before = [0, 0, top, left];
    const name = `border_${[top, left, bottom, right].join('_')}`;
    const edges = this.#graph.constant(name, [...before, 0, 0, bottom, right], 'int64');
    const inputs = [from.name, edges];
    if (value !== 0) inputs.push(this.#graph.weights(`border_of_${value}`, scalar(value)));
    return this.#checked(this.#graph.node('Pad', inputs), [
      channels,
      height + top + bottom,
      width + left + right,
    ]);
  }

  /** Appends channels of zeros. */
  padChannels(from: Value, count: number): Value {
    requirePicture('A border', from);
    if (!isWithin(count, 0, CHANNELS_MAX)) throw new WeightsError('A border has an impossible width.');
    const edges = this.#graph.constant(`channels_${count}`, [0, 0, 0, 0, 0, count, 0, 0], 'int64');
    const [channels = 0, ...size] = from.sides;
    return this.#checked(this.#graph.node('Pad', [from.name, edges]), [channels + count, ...size]);
  }

  /** Resizes bilinearly with aligned pixel centres. @param size height, width */
  resizeBilinear(from: Value, [height = 0, width = 0]: readonly number[]): Value {
    requirePicture('A change of size', from);
    if (![height, width].every((side) => isWithin(side, 1, SIDE_MAX)))
      throw new WeightsError('A change of size has an impossible size.');
    const [channels = 0, high = 0, wide = 0] = from.sides;
    const [down, across] = [height / high, width / wide];
    const scales = this.#graph.constant(`scales_${down}_${across}`, [1, 1, down, across], 'float');
    const attributes = { mode: 'linear', coordinate_transformation_mode: 'half_pixel' };
    return this.#checked(this.#graph.node('Resize', [from.name, '', scales], attributes), [
      channels,
      height,
      width,
    ]);
  }

  /** Flattens the channels of each position, row by row, to a table of `columns`. */
  toTable(from: Value, columns: number): Value {
    requirePicture('A table', from);
    const [channels = 0, height = 0, width = 0] = from.sides;
    if (!isWithin(columns, 1, CHANNELS_MAX) || (channels * height * width) % columns !== 0)
      throw new WeightsError(`A table of ${columns} columns cannot be made of ${sizeText(from)}.`);
    const places = this.#graph.node('Transpose', [from.name], { perm: [0, 2, 3, 1] });
    const shape = this.#graph.constant(`table_${columns}`, [0, -1, columns], 'int64');
    const rows = (channels * height * width) / columns;
    return this.#checked(this.#graph.node('Reshape', [places, shape]), [rows, columns]);
  }

  add(one: Value, other: Value): Value {
    if (one.sides.join() !== other.sides.join())
      throw new WeightsError(`Answers of ${sizeText(one)} and ${sizeText(other)} cannot be added.`);
    return { ...one, name: this.#graph.node('Add', [one.name, other.name]) };
  }

  /** Adds one number per channel. */
  addToChannels(from: Value, { shape, data }: Tensor): Value {
    if (from.sides.length !== 3 || data.length !== from.sides[0])
      throw new WeightsError(misfit('Add', from, shape));
    const numbers = this.#weights({ shape: [data.length, 1, 1], data });
    return { ...from, name: this.#graph.node('Add', [from.name, numbers]) };
  }

  /** Concatenates channels. */
  concat(parts: readonly Value[]): Value {
    const [first] = parts;
    const size = first?.sides.slice(1).join();
    if (!first || parts.some(({ sides }) => sides.length !== 3 || sides.slice(1).join() !== size))
      throw new WeightsError(`Answers of ${parts.map(sizeText).join(', ')} cannot be laid side by side.`);
    const channels = parts.reduce((sum, { sides }) => sum + sides[0]!, 0);
    const names = parts.map(({ name }) => name);
    return this.#checked(this.#graph.node('Concat', names, { axis: 1 }), [channels, ...first.sides.slice(1)]);
  }

  /** Slices channels. @param to exclusive */
  channels(from: Value, start: number, to: number): Value {
    requirePicture('A part', from);
    const [channels = 0, ...size] = from.sides;
    if (!isWithin(start, 0, channels) || !isWithin(to, start + 1, channels))
      throw new WeightsError(`${sizeText(from)} has no channels ${start} to ${to}.`);
    const bounds = [start, to, 1].map((bound) => this.#graph.constant(`bound_of_${bound}`, [bound], 'int64'));
    return this.#checked(this.#graph.node('Slice', [from.name, ...bounds]), [to - start, ...size]);
  }

  /** @param slope for negative values */
  leakyRelu = (from: Value, slope: number): Value => ({
    ...from,
    name: this.#graph.node('LeakyRelu', [from.name], { alpha: { float: slope } }),
  });

  sigmoid = (from: Value): Value => ({ ...from, name: this.#graph.node('Sigmoid', [from.name]) });

  normalize(name: string, from: Value, { gamma, beta, mean, variance, epsilon }: Statistics): Value {
    const inputs = [gamma, beta, mean, variance].map((tensor) => {
      if (tensor.data.length !== from.sides[0]) throw new WeightsError(misfit(name, from, tensor.shape));
      return this.#weights(tensor);
    });
    const attributes = { epsilon: { float: epsilon } };
    return {
      ...from,
      name: this.#graph.node('BatchNormalization', [from.name, ...inputs], attributes),
    };
  }

  activate(from: Value, activation: Activation): Value {
    if (activation === 'none') return from;
    if (activation === 'relu') return { ...from, name: this.#graph.node('Relu', [from.name]) };
    if (activation === 'relu6') {
      const bounds = [0, 6].map((bound) => this.#graph.weights(`bound_${bound}`, scalar(bound)));
      return { ...from, name: this.#graph.node('Clip', [from.name, ...bounds]) };
    }
    if (from.sides.length !== 1)
      throw new WeightsError(`A softmax of ${sizeText(from)} is not known; one of a list is.`);
    return { ...from, name: this.#graph.node('Softmax', [from.name], { axis: 1 }) };
  }

  /** Only for images of one pixel, where the dimension order makes no difference. */
  flatten(from: Value): Value {
    const [length = 0, ...pixels] = from.sides;
    if (pixels.some((side) => side !== 1))
      throw new WeightsError(`Making a list of ${sizeText(from)} is not known; of 1 × 1 pixels it is.`);
    if (pixels.length === 0) return from;
    return { name: this.#graph.node('Flatten', [from.name], { axis: 1 }), sides: [length] };
  }

  /** @param kernel (in, out) */
  dense(name: string, from: Value, { kernel, bias }: { kernel: Weights; bias?: Tensor | undefined }): Value {
    const [inside, out = 0] = kernel.shape;
    const fits = from.sides.length === 1 && kernel.shape.length === 2 && inside === from.sides[0];
    if (!fits || (bias && bias.data.length !== out)) throw new WeightsError(misfit(name, from, kernel.shape));
    const inputs = [from.name, this.#weights(kernel)];
    if (bias) inputs.push(this.#weights(bias));
    return this.#checked(this.#graph.node('Gemm', inputs), [out]);
  }

  /** Serialises the model; its output is `scores`, or with several `output_0`, `output_1`, … */
  toModel(...outputs: readonly Value[]): Uint8Array {
    const named = outputs.map(({ name, sides }, at) => ({
      name: this.#graph.node('Identity', [name], {}, outputs.length === 1 ? 'scores' : `output_${at}`),
      sides: ['batch', ...sides],
    }));
    return this.#graph.toModel({ input: this.input.sides, outputs: named });
  }

  /** Uses generated names: those in the file may collide with names of nodes or occur twice. */
  #weights(weights: Weights): string {
    this.#kept += 1;
    const name = `weights_${this.#kept}`;
    this.#numbers += weights.data.length;
    if (this.#numbers > NETWORK_NUMBERS_MAX)
      throw new WeightsError('The file contains more values than any supported network.');
    return 'scale' in weights ? this.#graph.quantized(name, weights) : this.#graph.weights(name, weights);
  }

  #checked(name: string, sides: readonly number[]): Value {
    const numbers = elementsOf(sides, name);
    if (numbers >= 1 && numbers <= ANSWER_NUMBERS_MAX) return { name, sides };
    throw new WeightsError(`A layer of ${sides.join(' × ')} values is not part of any supported network.`);
  }
}

/** Geometry of a sliding window: padding and output size, as in TensorFlow. */
function slide(
  name: string,
  from: Value,
  { size, strides, padding }: Window & { readonly size: readonly number[] },
): { pads: number[]; sides: number[] } {
  requirePicture(name, from);
  if (![...size, ...strides].every((side) => isWithin(side, 1)) || size.length !== 2)
    throw new WeightsError(`${name} has a window of an impossible size.`);
  const [before, after, sides]: [number[], number[], number[]] = [[], [], []];
  for (const axis of [0, 1] as const) {
    const [side, window, stride] = [from.sides[axis + 1]!, size[axis]!, strides[axis]];
    const steps = padding === 'same' ? Math.ceil(side / stride) : Math.floor((side - window) / stride) + 1;
    const missing = padding === 'same' ? Math.max(0, (steps - 1) * stride + window - side) : 0;
    before.push(Math.floor(missing / 2));
    after.push(Math.ceil(missing / 2));
    sides.push(steps);
  }
  if (sides.some((side) => side < 1)) throw new WeightsError(misfit(name, from, size));
  return { pads: [...before, ...after], sides };
}

function requirePicture(name: string, { sides }: Value): void {
  if (sides.length !== 3) throw new WeightsError(`${name} is given a list, not a picture.`);
}

const isWithin = (side: number, min: number, max = KERNEL_SIDE_MAX): boolean =>
  Number.isInteger(side) && side >= min && side <= max;
const sizeText = ({ sides }: Value): string => sides.join(' × ');
const misfit = (name: string, from: Value, shape: readonly number[]): string =>
  `"${name.slice(0, 80)}" of ${shape.join(' × ')} numbers does not fit what comes to it (${sizeText(from)}).`;
