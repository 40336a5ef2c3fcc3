import { floatsOfHalves } from '../half_floats.ts';
import { DIMENSIONS_MAX, elementsOf, type QuantizedTensor, type Tensor, WeightsError } from '../tensors.ts';
import { fromTfjs } from './from_tfjs.ts';
import { permute } from './permute.ts';
import {
  type Activation,
  NETWORK_NUMBERS_MAX,
  PARTS_MAX,
  type Padding,
  PictureNetwork,
  type Value,
} from './picture_network.ts';
import { type Beside, isTfjs } from './tfjs_file.ts';

/**
 * A FlatBuffers table; fields are identified by their index in the schema and may be absent. Untrusted: references outside the file throw the
 * RangeError of DataView. https://flatbuffers.dev/internals/
 */
class Table {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** The root table. @throws RangeError for a file too short to have one */
  static root(file: Uint8Array): Table {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    return new Table(view, view.getUint32(0, true));
  }

  byte(field: number, absent = 0): number {
    const at = this.#place(field);
    return at === undefined ? absent : this.#view.getUint8(at);
  }

  int(field: number, absent = 0): number {
    const at = this.#place(field);
    return at === undefined ? absent : this.#view.getInt32(at, true);
  }

  float(field: number, absent = 0): number {
    const at = this.#place(field);
    return at === undefined ? absent : this.#view.getFloat32(at, true);
  }

  table(field: number): Table | undefined {
    const at = this.#place(field);
    return at === undefined ? undefined : new Table(this.#view, this.#follow(at));
  }

  tables(field: number): Table[] {
    return this.#items(field, 4, PARTS_MAX, (at) => new Table(this.#view, this.#follow(at)));
  }

  /** @param max maximum length; longer lists are rejected before reading */
  ints(field: number, max: number): number[] {
    return this.#items(field, 4, max, (at) => this.#view.getInt32(at, true));
  }

  floats(field: number, max: number): number[] {
    return this.#items(field, 4, max, (at) => this.#view.getFloat32(at, true));
  }

  longs(field: number, max: number): number[] {
    return this.#items(field, 8, max, (at) => Number(this.#view.getBigInt64(at, true)));
  }

  /** A view of the file, not a copy. */
  bytes(field: number): Uint8Array {
    const [start, length] = this.#list(field);
    if (start + length > this.#view.byteLength) throw new RangeError('a list past the end');
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length);
  }

  #items<Item>(field: number, size: number, max: number, read: (at: number) => Item): Item[] {
    const [start, length] = this.#list(field);
    if (length > max) throw new WeightsError(`The file lists ${length} parts where ${max} are the most.`);
    return Array.from({ length }, (_, item) => read(start + item * size));
  }

  /** Offset and stated length of a list; an absent one is empty. */
  #list(field: number): [start: number, length: number] {
    const at = this.#place(field);
    if (at === undefined) return [0, 0];
    const list = this.#follow(at);
    return [list + 4, this.#view.getUint32(list, true)];
  }

  #follow = (at: number): number => at + this.#view.getUint32(at, true);

  /** A table starts with the offset of its vtable. */
  #place(field: number): number | undefined {
    const places = this.#at - this.#view.getInt32(this.#at, true);
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(places, true)) return undefined;
    const offset = this.#view.getUint16(places + entry, true);
    return offset === 0 ? undefined : this.#at + offset;
  }
}

/** A parsed TFLite file. */
interface TfliteFile {
  readonly tensors: readonly TfliteTensor[];
  readonly operators: readonly TfliteOperator[];
  /** Indices in the list of tensors. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

interface TfliteTensor {
  /** As in the file: batch first, channels last. */
  readonly shape: readonly number[];
  /** @throws WeightsError unless it has 8-bit weights with one scale */
  quantized(): QuantizedTensor;
  /** Decoded 16-bit floats. @throws WeightsError unless it has 16-bit floats */
  halves(): Tensor;
  /** Integers, such as sizes. @throws WeightsError unless it has at most `max` integers */
  integers(max: number): number[];
  /** Dequantised 32-bit integers with one scale. @throws WeightsError unless it has such numbers */
  scaled(): Tensor;
}

interface TfliteOperator {
  readonly kind: OperatorKind;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Its options table; undefined if all options have defaults. */
  readonly options: Table | undefined;
}

/** Supported operators by their code in the schema. */
const KINDS = {
  0: 'ADD',
  1: 'AVERAGE_POOL_2D',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  6: 'DEQUANTIZE',
  17: 'MAX_POOL_2D',
  19: 'RELU',
  22: 'RESHAPE',
  23: 'RESIZE_BILINEAR',
  25: 'SOFTMAX',
  34: 'PAD',
} as const;
type OperatorKind = (typeof KINDS)[keyof typeof KINDS];

/** Common unsupported operators, for error messages. */
const OTHERS: Readonly<Record<number, string>> = {
  2: 'CONCATENATION',
  9: 'FULLY_CONNECTED',
  14: 'LOGISTIC',
  18: 'MUL',
  21: 'RELU6',
  28: 'TANH',
  32: 'CUSTOM',
  39: 'TRANSPOSE',
  40: 'MEAN',
  41: 'SUB',
  43: 'SQUEEZE',
  67: 'TRANSPOSE_CONV',
  97: 'RESIZE_NEAREST_NEIGHBOR',
  114: 'QUANTIZE',
  117: 'HARD_SWISH',
};

// Field indices and type codes:
// https://github.com/tensorflow/tensorflow/blob/v2.16.1/tensorflow/lite/schema/schema.fbs
const MODEL = { operatorCodes: 1, subgraphs: 2, buffers: 4 };
const SUBGRAPH = { tensors: 0, inputs: 1, outputs: 2, operators: 3 };
const TENSOR = { shape: 0, type: 1, buffer: 2, quantization: 4 };
const QUANTIZATION = { scale: 2, zeroPoint: 3 };
const OPERATOR = { code: 0, inputs: 1, outputs: 2, options: 4 };
const CODE = { byte: 0, number: 3 };
const BUFFER = { data: 0 };
const FLOAT16 = 1;
const INT32 = 2;
const UINT8 = 3;
/** Maximum inputs and outputs of an operator. */
const PORTS_MAX = 16;

/** Whether it is a TFLite file, by its identifier. */
const isTflite = (file: Uint8Array): boolean =>
  Buffer.from(file.subarray(4, 8)).toString('latin1') === 'TFL3';

/**
 * Parses a TFLite file without running it.
 * @throws WeightsError for damaged files and unsupported operators
 * @throws RangeError for references outside the file
 */
function readTflite(file: Uint8Array): TfliteFile {
  const model = Table.root(file);
  const [graph, ...more] = model.tables(MODEL.subgraphs);
  if (!graph || more.length > 0)
    throw new WeightsError(`The TFLite file has ${more.length + (graph ? 1 : 0)} graphs where one is known.`);
  const codes = model.tables(MODEL.operatorCodes);
  const buffers = model.tables(MODEL.buffers);
  return {
    tensors: graph.tables(SUBGRAPH.tensors).map((tensor, at) => readTensor(tensor, at, buffers)),
    operators: graph.tables(SUBGRAPH.operators).map((operator) => readOperator(operator, codes)),
    inputs: graph.ints(SUBGRAPH.inputs, PORTS_MAX),
    outputs: graph.ints(SUBGRAPH.outputs, PORTS_MAX),
  };
}

function readOperator(operator: Table, codes: readonly Table[]): TfliteOperator {
  const code = codes[operator.int(OPERATOR.code)];
  if (!code) throw new WeightsError('The TFLite file uses an operator it does not name.');
  // Codes above 127 are in a newer field, lower ones in both or in the older one.
  const number = Math.max(code.byte(CODE.byte), code.int(CODE.number));
  const kind = (KINDS as Readonly<Record<number, OperatorKind>>)[number];
  if (!kind) {
    const name = OTHERS[number];
    throw new WeightsError(
      `The TFLite file uses the operator ${name ? `${name} (${number})` : number}, which cannot be converted. Known are: ${Object.values(KINDS).join(', ')}.`,
    );
  }
  return {
    kind,
    inputs: operator.ints(OPERATOR.inputs, PORTS_MAX),
    outputs: operator.ints(OPERATOR.outputs, PORTS_MAX),
    options: operator.table(OPERATOR.options),
  };
}

function readTensor(tensor: Table, at: number, buffers: readonly Table[]): TfliteTensor {
  const shape = tensor.ints(TENSOR.shape, DIMENSIONS_MAX);
  const name = `tensor ${at}`;
  const dataOf = (type: number, size: number): Uint8Array => {
    const elements = elementsOf(shape, name);
    const data = buffers[tensor.int(TENSOR.buffer)]?.bytes(BUFFER.data);
    if (tensor.byte(TENSOR.type) !== type || data?.length !== elements * size)
      throw new WeightsError(`The numbers of ${name} are missing, or of another kind than ${size * 8} bits.`);
    if (elements > NETWORK_NUMBERS_MAX) throw new WeightsError(`${name} has more numbers than any of ours.`);
    return data;
  };
  const stepOf = (): { scale: number; zero: number } => {
    const quantization = tensor.table(TENSOR.quantization);
    const [scale, ...scales] = quantization?.floats(QUANTIZATION.scale, PARTS_MAX) ?? [];
    const [zero = 0] = quantization?.longs(QUANTIZATION.zeroPoint, PARTS_MAX) ?? [];
    if (scale === undefined || scales.length > 0 || !Number.isFinite(scale))
      throw new WeightsError(`The numbers of ${name} have ${scales.length} scales where one is known.`);
    return { scale, zero };
  };
  return {
    shape,
    quantized() {
      const [data, { scale, zero }] = [dataOf(UINT8, 1), stepOf()];
      if (!Number.isInteger(zero) || zero < 0 || zero > 255)
        throw new WeightsError(`The zero of ${name} is ${zero}, not 0 to 255.`);
      return { shape, data, scale, zero, shift: 0 };
    },
    halves: () => ({
      shape,
      data: floatsOfHalves(dataOf(FLOAT16, 2)),
    }),
    integers(max) {
      const numbers = new Int32Array(new Uint8Array(dataOf(INT32, 4)).buffer);
      if (numbers.length > max)
        throw new WeightsError(`${name} has ${numbers.length} numbers where ${max} are the most.`);
      return [...numbers];
    },
    scaled() {
      const [data, { scale, zero }] = [dataOf(INT32, 4), stepOf()];
      const numbers = new Int32Array(new Uint8Array(data).buffer);
      return { shape, data: Float32Array.from(numbers, (number) => scale * (number - zero)) };
    },
  };
}

/**
 * Converts a TFLite image model with 8-bit or 16-bit float weights to an ONNX graph that computes in floats: unlike in TFLite, activations are not
 * rounded to 8 bits. `input` is float32 (batch, channels, height, width) in dequantised units, `scores` is the output, or several outputs
 * (`PictureNetwork.toModel`). Deterministic.
 * @throws WeightsError for damaged files, and for unsupported operators by name
 */
function fromTflite(file: Uint8Array): Uint8Array {
  const read = readTflite(file);
  const input = onlyOne(read.inputs, 'inputs');
  const network = new PictureNetwork(sidesOf(tensorAt(read, input)));
  const values = new Map<number, Value>([[input, network.input]]);
  const halves = new Map<number, Tensor>();
  for (const operator of read.operators) {
    if (operator.kind === 'DEQUANTIZE') {
      halves.set(onlyOne(operator.outputs, 'outputs of DEQUANTIZE'), halvesOf(read, operator));
      continue;
    }
    const made = onlyOne(operator.outputs, `outputs of ${operator.kind}`);
    const value = LAYERS[operator.kind]({ network, read, operator, values, halves });
    const said = sidesOf(tensorAt(read, made));
    if (value.sides.join() !== said.join())
      throw new WeightsError(
        `${operator.kind} gives ${value.sides.join(' × ')} numbers, and the TFLite file says ${said.join(' × ')}.`,
      );
    values.set(made, value);
  }
  const outputs = read.outputs.map((output) => values.get(output));
  if (outputs.length === 0 || !outputs.every((value) => value !== undefined))
    throw new WeightsError('Nothing in the TFLite file makes its output.');
  return network.toModel(...outputs);
}

/** 16-bit float weights, which the file dequantises before each layer. */
function halvesOf(read: TfliteFile, { inputs }: TfliteOperator): Tensor {
  return tensorAt(read, onlyOne(inputs, 'inputs of DEQUANTIZE')).halves();
}

interface Layer {
  readonly network: PictureNetwork;
  readonly read: TfliteFile;
  readonly operator: TfliteOperator;
  /** Values so far, by tensor index. */
  readonly values: ReadonlyMap<number, Value>;
  /** 16-bit weights, by the index of their dequantised tensor. */
  readonly halves: ReadonlyMap<number, Tensor>;
}

// Field indices in the options of each operator, from the schema of TensorFlow Lite.
const CONV = { padding: 0, strideAcross: 1, strideDown: 2, activation: 3, dilations: [4, 5] };
const DEPTHWISE = { padding: 0, strideAcross: 1, strideDown: 2, activation: 4, dilations: [5, 6] };
const POOL = { padding: 0, strideAcross: 1, strideDown: 2, width: 3, height: 4, activation: 5 };
const ADD = { activation: 0 };
const SOFTMAX = { beta: 0 };
const RESIZE = { alignCorners: 2, halfPixels: 3 };

const LAYERS: Record<Exclude<OperatorKind, 'DEQUANTIZE'>, (layer: Layer) => Value> = {
  ADD: (layer) =>
    activated(
      layer,
      layer.network.add(valueAt(layer, 0), valueAt(layer, 1)),
      optionsOf(layer).byte(ADD.activation),
    ),
  AVERAGE_POOL_2D: (layer) => pooled(layer, layer.network.averagePool),
  CONV_2D: (layer) => convolution(layer, CONV, [0, 3, 1, 2]),
  DEPTHWISE_CONV_2D: (layer) => convolution(layer, DEPTHWISE, [3, 0, 1, 2]),
  MAX_POOL_2D: (layer) => pooled(layer, layer.network.maxPool),
  PAD(layer) {
    const from = valueAt(layer, 0);
    // Padding before and after: batch, rows, columns and channels.
    const edges = tensorAt(layer.read, layer.operator.inputs[1] ?? -1).integers(8);
    const [pictures, more, top = 0, bottom = 0, left = 0, right = 0, before, channels = 0] = edges;
    if (pictures !== 0 || more !== 0 || before !== 0)
      throw new WeightsError('A PAD adds pictures, or channels before those there are.');
    const isBorder = [top, bottom, left, right].some((edge) => edge !== 0);
    const bordered = isBorder ? layer.network.pad(from, [top, left, bottom, right]) : from;
    return channels === 0 ? bordered : layer.network.padChannels(bordered, channels);
  },
  RELU: (layer) => layer.network.activate(valueAt(layer, 0), 'relu'),
  RESHAPE(layer) {
    const made = onlyOne(layer.operator.outputs, 'outputs of RESHAPE');
    const [, columns] = sidesOf(tensorAt(layer.read, made));
    const from = valueAt(layer, 0);
    return columns === undefined ? layer.network.flatten(from) : layer.network.toTable(from, columns);
  },
  RESIZE_BILINEAR(layer) {
    const options = optionsOf(layer);
    if (options.byte(RESIZE.alignCorners) !== 0 || options.byte(RESIZE.halfPixels) !== 1)
      throw new WeightsError('A RESIZE_BILINEAR does not lay the middles of pixels on each other.');
    const size = tensorAt(layer.read, layer.operator.inputs[1] ?? -1).integers(2);
    return layer.network.resizeBilinear(valueAt(layer, 0), size);
  },
  SOFTMAX(layer) {
    if (optionsOf(layer).float(SOFTMAX.beta) !== 1)
      throw new WeightsError('A SOFTMAX has a beta other than 1.');
    return layer.network.activate(valueAt(layer, 0), 'softmax');
  },
};

function pooled(layer: Layer, pool: PictureNetwork['maxPool']): Value {
  const options = optionsOf(layer);
  const size = [options.int(POOL.height), options.int(POOL.width)];
  const made = pool(valueAt(layer, 0), { size, ...windowOf(options, POOL) });
  return activated(layer, made, options.byte(POOL.activation));
}

/** @param order permutation of the kernel's dimensions to (out, in of one group, height, width) */
function convolution(layer: Layer, fields: typeof CONV, order: readonly number[]): Value {
  const { network, read, operator, halves } = layer;
  const [options, from] = [optionsOf(layer), valueAt(layer, 0)];
  if (fields.dilations.some((field) => options.int(field, 1) !== 1))
    throw new WeightsError(`A ${operator.kind} has a dilation other than 1.`);
  const [, weights = -1, bias = -1] = operator.inputs;
  const tensor = tensorAt(read, weights);
  if (tensor.shape.length !== 4)
    throw new WeightsError(`The kernel of a ${operator.kind} has not four sides.`);
  const made = network.convolution(from, {
    name: `w${weights}`,
    kernel: permute(halves.get(weights) ?? tensor.quantized(), order),
    // -1: no bias.
    bias: bias < 0 ? undefined : (halves.get(bias) ?? tensorAt(read, bias).scaled()),
    groups: operator.kind === 'CONV_2D' ? 1 : from.sides[0]!,
    ...windowOf(options, fields),
  });
  return activated(layer, made, options.byte(fields.activation));
}

interface WindowFields {
  readonly padding: number;
  readonly strideAcross: number;
  readonly strideDown: number;
}

function windowOf(
  options: Table,
  { padding, strideAcross, strideDown }: WindowFields,
): { strides: [number, number]; padding: Padding } {
  const kinds: readonly Padding[] = ['same', 'valid'];
  const kind = kinds[options.byte(padding)];
  if (!kind) throw new WeightsError('An operator has an unknown padding.');
  return { strides: [options.int(strideDown), options.int(strideAcross)], padding: kind };
}

const ACTIVATIONS: Readonly<Record<number, Activation>> = { 0: 'none', 1: 'relu', 3: 'relu6' };

function activated({ network, operator }: Layer, value: Value, number: number): Value {
  const activation = ACTIVATIONS[number];
  if (!activation)
    throw new WeightsError(`A ${operator.kind} has the activation ${number}, which cannot be converted.`);
  return network.activate(value, activation);
}

/** Without the batch dimension, channels first. */
function sidesOf({ shape }: TfliteTensor): number[] {
  const [pictures, ...sides] = shape;
  if (pictures !== 1 || sides.length > 3 || sides.length < 1)
    throw new WeightsError(`A value of ${shape.join(' × ')} numbers is neither one picture nor a list.`);
  return sides.length < 3 ? sides : [sides[2]!, sides[0]!, sides[1]!];
}

function valueAt({ operator, values }: Layer, at: number): Value {
  const value = values.get(operator.inputs[at] ?? -1);
  if (!value) throw new WeightsError(`A ${operator.kind} has an input that no earlier operator produces.`);
  return value;
}

function optionsOf({ operator }: Layer): Table {
  if (!operator.options) throw new WeightsError(`A ${operator.kind} is not told how to work.`);
  return operator.options;
}

function tensorAt({ tensors }: TfliteFile, at: number): TfliteTensor {
  const tensor = tensors[at];
  if (!tensor) throw new WeightsError(`The TFLite file has no tensor ${at}.`);
  return tensor;
}

function onlyOne(places: readonly number[], what: string): number {
  if (places.length !== 1)
    throw new WeightsError(`The TFLite file has ${places.length} ${what} where one is known.`);
  return places[0]!;
}

/**
 * Converts a TFLite file or a TensorFlow.js description to an ONNX graph; undefined for other formats.
 * @throws WeightsError for damaged files, and for unsupported parts by name
 */
export function toOnnx(file: Uint8Array, beside: Beside): Uint8Array | undefined {
  try {
    if (isTflite(file)) return fromTflite(file);
    return isTfjs(file) ? fromTfjs(file, beside) : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The network is truncated or modified: it refers to offsets outside its file.', {
      cause: error,
    });
  }
}
