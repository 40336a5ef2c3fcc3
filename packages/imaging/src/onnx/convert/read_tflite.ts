import { DIMENSIONS_MAX, elementsOf, type QuantizedTensor, type Tensor, WeightsError } from '../tensors.ts';
import { Table } from './flatbuffer.ts';
import { NETWORK_NUMBERS_MAX, PARTS_MAX } from './limits.ts';

/** A TFLite file as it describes itself. */
export interface TfliteFile {
  readonly tensors: readonly TfliteTensor[];
  readonly operators: readonly TfliteOperator[];
  /** Places in the list of tensors. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

export interface TfliteTensor {
  /** As the file has it: pictures first, channels last. */
  readonly shape: readonly number[];
  /** @throws WeightsError where it is no tensor of weights in 8 bits with one scale */
  quantized(): QuantizedTensor;
  /** What whole numbers of 32 bits with one scale stand for. @throws WeightsError where it holds no such numbers */
  scaled(): Tensor;
}

export interface TfliteOperator {
  readonly kind: OperatorKind;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** What it is told, by the place of each field in its own part of the schema; none where all is as usual. */
  readonly options: Table | undefined;
}

/** Operators we can write as ONNX, by their numbers in the schema. */
const KINDS = {
  0: 'ADD',
  1: 'AVERAGE_POOL_2D',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  22: 'RESHAPE',
  25: 'SOFTMAX',
} as const;
export type OperatorKind = (typeof KINDS)[keyof typeof KINDS];

/** Frequent ones we cannot, to call them by their names. */
const OTHERS: Readonly<Record<number, string>> = {
  2: 'CONCATENATION',
  6: 'DEQUANTIZE',
  9: 'FULLY_CONNECTED',
  14: 'LOGISTIC',
  17: 'MAX_POOL_2D',
  18: 'MUL',
  19: 'RELU',
  21: 'RELU6',
  23: 'RESIZE_BILINEAR',
  28: 'TANH',
  32: 'CUSTOM',
  34: 'PAD',
  39: 'TRANSPOSE',
  40: 'MEAN',
  41: 'SUB',
  43: 'SQUEEZE',
  67: 'TRANSPOSE_CONV',
  97: 'RESIZE_NEAREST_NEIGHBOR',
  114: 'QUANTIZE',
  117: 'HARD_SWISH',
};

// Places of fields and numbers of types:
// https://github.com/tensorflow/tensorflow/blob/v2.16.1/tensorflow/lite/schema/schema.fbs
const MODEL = { operatorCodes: 1, subgraphs: 2, buffers: 4 };
const SUBGRAPH = { tensors: 0, inputs: 1, outputs: 2, operators: 3 };
const TENSOR = { shape: 0, type: 1, buffer: 2, quantization: 4 };
const QUANTIZATION = { scale: 2, zeroPoint: 3 };
const OPERATOR = { code: 0, inputs: 1, outputs: 2, options: 4 };
const CODE = { byte: 0, number: 3 };
const BUFFER = { data: 0 };
const INT32 = 2;
const UINT8 = 3;
/** Inputs and outputs of one operator. */
const PORTS_MAX = 16;

/** Whether it is a TFLite file, by its mark. */
export const isTflite = (file: Uint8Array): boolean =>
  Buffer.from(file.subarray(4, 8)).toString('latin1') === 'TFL3';

/**
 * Reads a TFLite file; nothing in it is run.
 * @throws WeightsError for what is damaged, or uses an operator we do not know
 * @throws RangeError for what points outside itself
 */
export function readTflite(file: Uint8Array): TfliteFile {
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
  // Numbers above 127 stand in a later field, those below in both or in the older one.
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
    scaled() {
      const [data, { scale, zero }] = [dataOf(INT32, 4), stepOf()];
      const numbers = new Int32Array(new Uint8Array(data).buffer);
      return { shape, data: Float32Array.from(numbers, (number) => scale * (number - zero)) };
    },
  };
}
