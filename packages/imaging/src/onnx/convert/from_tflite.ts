import { WeightsError } from '../tensors.ts';
import type { Table } from './flatbuffer.ts';
import { permute } from './permute.ts';
import { type Activation, type Padding, PictureNetwork, type Value } from './picture_network.ts';
import {
  type OperatorKind,
  readTflite,
  type TfliteFile,
  type TfliteOperator,
  type TfliteTensor,
} from './read_tflite.ts';

/**
 * A network for pictures in a TFLite file with weights of 8 bits, as an ONNX graph that computes in floats: what comes between layers is
 * not rounded to 8 bits as TFLite does. `input` float32 (batch, channels, height, width) is what the file's own input numbers stand for,
 * `scores` what comes out. The same file gives the same bytes.
 * @throws WeightsError for damaged files, and for what we do not know, by its name
 */
export function fromTflite(file: Uint8Array): Uint8Array {
  const read = readTflite(file);
  const [input, output] = [onlyOne(read.inputs, 'inputs'), onlyOne(read.outputs, 'outputs')];
  const network = new PictureNetwork(sidesOf(tensorAt(read, input)));
  const values = new Map<number, Value>([[input, network.input]]);
  for (const operator of read.operators) {
    const made = onlyOne(operator.outputs, `outputs of ${operator.kind}`);
    const value = LAYERS[operator.kind]({ network, read, operator, values });
    const said = sidesOf(tensorAt(read, made));
    if (value.sides.join() !== said.join())
      throw new WeightsError(
        `${operator.kind} gives ${value.sides.join(' × ')} numbers, and the TFLite file says ${said.join(' × ')}.`,
      );
    values.set(made, value);
  }
  const last = values.get(output);
  if (!last) throw new WeightsError('Nothing in the TFLite file makes its output.');
  return network.toModel(last);
}

interface Layer {
  readonly network: PictureNetwork;
  readonly read: TfliteFile;
  readonly operator: TfliteOperator;
  /** What was made so far, by the place of its tensor. */
  readonly values: ReadonlyMap<number, Value>;
}

// Places of fields in the options of each operator, see read_tflite.ts.
const CONV = { padding: 0, strideAcross: 1, strideDown: 2, activation: 3, dilations: [4, 5] };
const DEPTHWISE = { padding: 0, strideAcross: 1, strideDown: 2, activation: 4, dilations: [5, 6] };
const POOL = { padding: 0, strideAcross: 1, strideDown: 2, width: 3, height: 4, activation: 5 };
const ADD = { activation: 0 };
const SOFTMAX = { beta: 0 };

const LAYERS: Record<OperatorKind, (layer: Layer) => Value> = {
  ADD: (layer) =>
    activated(
      layer,
      layer.network.add(valueAt(layer, 0), valueAt(layer, 1)),
      optionsOf(layer).byte(ADD.activation),
    ),
  AVERAGE_POOL_2D(layer) {
    const options = optionsOf(layer);
    const size = [options.int(POOL.height), options.int(POOL.width)];
    const pooled = layer.network.averagePool(valueAt(layer, 0), { size, ...windowOf(options, POOL) });
    return activated(layer, pooled, options.byte(POOL.activation));
  },
  CONV_2D: (layer) => convolution(layer, CONV, [0, 3, 1, 2]),
  DEPTHWISE_CONV_2D: (layer) => convolution(layer, DEPTHWISE, [3, 0, 1, 2]),
  RESHAPE: (layer) => layer.network.flatten(valueAt(layer, 0)),
  SOFTMAX(layer) {
    if (optionsOf(layer).float(SOFTMAX.beta) !== 1)
      throw new WeightsError('A SOFTMAX has a beta other than 1.');
    return layer.network.activate(valueAt(layer, 0), 'softmax');
  },
};

/** @param order that of the sides of the kernel, made (out, in of one group, height, width) */
function convolution(layer: Layer, fields: typeof CONV, order: readonly number[]): Value {
  const { network, read, operator } = layer;
  const [options, from] = [optionsOf(layer), valueAt(layer, 0)];
  if (fields.dilations.some((field) => options.int(field, 1) !== 1))
    throw new WeightsError(`A ${operator.kind} has a dilation other than 1.`);
  const [, weights = -1, bias = -1] = operator.inputs;
  const tensor = tensorAt(read, weights);
  if (tensor.shape.length !== 4)
    throw new WeightsError(`The kernel of a ${operator.kind} has not four sides.`);
  const made = network.convolution(from, {
    name: `w${weights}`,
    kernel: permute(tensor.quantized(), order),
    // Minus one: it has none.
    bias: bias < 0 ? undefined : tensorAt(read, bias).scaled(),
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

/** Without a picture's number, channels first. */
function sidesOf({ shape }: TfliteTensor): number[] {
  const [pictures, ...sides] = shape;
  if (pictures !== 1 || (sides.length !== 3 && sides.length !== 1))
    throw new WeightsError(`A value of ${shape.join(' × ')} numbers is neither one picture nor a list.`);
  return sides.length === 1 ? sides : [sides[2]!, sides[0]!, sides[1]!];
}

function valueAt({ operator, values }: Layer, at: number): Value {
  const value = values.get(operator.inputs[at] ?? -1);
  if (!value) throw new WeightsError(`A ${operator.kind} is given what nothing before it makes.`);
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
