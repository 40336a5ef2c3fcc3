import { floatsOfHalves } from './half_floats.ts';
import { type Field, fieldsOf } from './protobuf.ts';
import {
  DIMENSIONS_MAX,
  elementsOf,
  FLOATS_MAX,
  TENSORS_MAX,
  type Tensor,
  type Tensors,
  WeightsError,
} from './tensors.ts';

/** Contents of an ONNX file, without its nodes. */
export interface OnnxFile {
  /** Only named tensors of 32- or 16-bit floats. */
  readonly tensors: Tensors;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

export interface Port {
  readonly name: string;
  /** A number for a fixed dimension, a name for a dynamic one. */
  readonly sides: readonly (number | string)[];
}

const FLOAT = 1;
const FLOAT16 = 10;

/**
 * Reads the weights and ports of an ONNX file without running it. Field numbers: https://github.com/onnx/onnx/blob/v1.16.0/onnx/onnx.proto
 * @param external returns the bytes of an external weight file; undefined if it is missing
 * @throws WeightsError if the file is truncated, corrupted or not ONNX
 */
export function readOnnx(bytes: Uint8Array, external: (name: string) => Uint8Array | undefined): OnnxFile {
  try {
    const graph = [...fieldsOf(bytes)].find(({ field }) => field === 7)?.bytes;
    if (!graph) throw new WeightsError('The file is not an ONNX graph, or it is truncated.');
    const parts = [...fieldsOf(graph)];
    const tensors = new Map<string, Tensor>();
    let floats = 0;
    const files = new Map<string, Uint8Array | undefined>();
    const readOnce = (name: string) => {
      if (!files.has(name)) files.set(name, external(name));
      return files.get(name);
    };
    for (const { bytes: part } of parts.filter(({ field }) => field === 5)) {
      const [name, tensor] = tensorOf(part, readOnce);
      if (!tensor) continue;
      floats += tensor.data.length;
      if (floats > FLOATS_MAX || tensors.size >= TENSORS_MAX)
        throw new WeightsError('The file contains more values than any supported network.');
      tensors.set(name, tensor);
    }
    const ports = (wanted: number) =>
      parts.filter(({ field }) => field === wanted).map((part) => portOf(part.bytes));
    return { tensors, inputs: ports(11), outputs: ports(12) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The file is not an ONNX graph, or it is truncated or modified.', {
      cause: error,
    });
  }
}

function tensorOf(
  message: Uint8Array,
  external: (name: string) => Uint8Array | undefined,
): [name: string, tensor: Tensor | undefined] {
  const fields = [...fieldsOf(message)];
  const one = (wanted: number) => fields.find(({ field }) => field === wanted);
  const name = wordOf(one(8));
  const type = one(2)?.number;
  if (type !== FLOAT && type !== FLOAT16) return [name, undefined];
  const shape = fields.filter(({ field }) => field === 1).flatMap(numbersOf);
  const elements = elementsOf(shape, name);
  const size = type === FLOAT ? 4 : 2;
  const listed = one(4)?.bytes;
  const raw = one(9)?.bytes ?? (type === FLOAT ? listed : undefined);
  const data = raw ?? externalBytes(fields, external, elements * size);
  if (!data || data.length !== elements * size)
    throw new WeightsError(
      `The numbers of "${name.slice(0, 80)}" are missing or of another count than it says.`,
    );
  return [name, { shape, data: floatsOf(data, size) }];
}

/** Field 13: pairs of key (1) and value (2) with file name, offset and length. */
function externalBytes(
  fields: readonly Field[],
  external: (name: string) => Uint8Array | undefined,
  length: number,
): Uint8Array | undefined {
  const pairs = fields
    .filter(({ field }) => field === 13)
    .map(({ bytes }) => {
      const pair = [...fieldsOf(bytes)];
      return [1, 2].map((wanted) => wordOf(pair.find(({ field }) => field === wanted))) as [string, string];
    });
  const { location = '', offset = '0' } = Object.fromEntries(pairs) as Record<string, string | undefined>;
  const whole = location === '' ? undefined : external(location);
  return whole?.subarray(Number(offset), Number(offset) + length);
}

/** Weights as 32-bit floats, copied to be aligned and independent of the file buffer. */
function floatsOf(bytes: Uint8Array, size: 2 | 4): Float32Array {
  if (size === 4) return new Float32Array(new Uint8Array(bytes).buffer);
  return floatsOfHalves(bytes);
}

/** Length of the longest 64-bit varint. */
const VARINT_BYTES_MAX = 10;

/** Integers, packed or as one field each. From a packed list, at most one more than a shape may have is read. */
function numbersOf({ number, bytes }: Field): number[] {
  if (bytes.length === 0) return [number];
  const start = bytes.subarray(0, VARINT_BYTES_MAX * (DIMENSIONS_MAX + 1));
  const packed = Buffer.concat([Uint8Array.of(0), start]);
  const out: number[] = [];
  // Each packed number is parsed as a field with the number 0.
  for (let at = 1; at < packed.length && out.length <= DIMENSIONS_MAX; ) {
    let end = at;
    while (packed[end]! >= 0x80) end += 1;
    const [field] = fieldsOf(Buffer.concat([Uint8Array.of(0x08), packed.subarray(at, end + 1)]));
    out.push(field!.number);
    at = end + 1;
  }
  return out;
}

function portOf(message: Uint8Array): Port {
  const fields = [...fieldsOf(message)];
  const bytesIn = (part: Uint8Array | undefined, wanted: number) =>
    part && [...fieldsOf(part)].find(({ field }) => field === wanted)?.bytes;
  const shape = bytesIn(bytesIn(fields.find(({ field }) => field === 2)?.bytes, 1), 2);
  const sides = shape
    ? [...fieldsOf(shape)].map(({ bytes }) => {
        const dimension = [...fieldsOf(bytes)];
        return (
          dimension.find(({ field }) => field === 1)?.number ??
          (wordOf(dimension.find(({ field }) => field === 2)) || '?')
        );
      })
    : [];
  return { name: wordOf(fields.find(({ field }) => field === 1)), sides };
}

const wordOf = (field: Field | undefined): string => Buffer.from(field?.bytes ?? []).toString('utf8');
