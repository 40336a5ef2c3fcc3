/**
 * The subset of the Protocol Buffers encoding used by ONNX. https://protobuf.dev/programming-guides/encoding/ A message is a list of pieces, so that
 * megabytes of weights are copied only once, at the end.
 */
export type Pieces = readonly Uint8Array[];

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** A non-negative integer. */
export const integer = (field: number, value: number): Pieces => [key(field, VARINT), varint(value)];

export const float = (field: number, value: number): Pieces => [
  key(field, FIXED32),
  new Uint8Array(Float32Array.of(value).buffer),
];

export const text = (field: number, value: string): Pieces => bytes(field, [Buffer.from(value)]);

/** Bytes, or a nested message. */
export const bytes = (field: number, pieces: Pieces): Pieces => [
  key(field, BYTES),
  varint(pieces.reduce((sum, piece) => sum + piece.length, 0)),
  ...pieces,
];

const key = (field: number, type: number): Uint8Array => varint(field * 8 + type);

function varint(value: number): Uint8Array {
  const out: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) out.push((left % 0x80) | 0x80);
  return Uint8Array.of(...out, left);
}

/** One field of a message: a number for scalar types, a view of the bytes for all others. */
export interface Field {
  readonly field: number;
  readonly number: number;
  readonly bytes: Uint8Array;
  /** The encoded field, including its number. */
  readonly whole: Uint8Array;
}

const NOTHING = new Uint8Array(0);
/** Maximum fields per message; our models have some thousand nodes and tensors. */
const FIELDS_MAX = 1_000_000;

/**
 * Iterates over the fields of a message, in order.
 * @throws RangeError for references outside the message, and for types that ONNX does not use
 */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const readVarint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = view.getUint8(at++);
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
      if (factor > 2 ** 63) throw new RangeError('a number of more than 64 bits');
    }
  };
  for (let fields = 0; at < message.length; fields += 1) {
    if (fields === FIELDS_MAX) throw new RangeError('more fields than any graph of ours');
    const start = at;
    const head = readVarint();
    const [field, type] = [Math.floor(head / 8), head % 8];
    let number = 0;
    let inside: Uint8Array = NOTHING;
    if (type === VARINT) number = readVarint();
    else if (type === FIXED32 || type === FIXED64) {
      number = type === FIXED32 ? view.getFloat32(at, true) : view.getFloat64(at, true);
      inside = part(message, at, type === FIXED32 ? 4 : 8);
    } else if (type === BYTES) {
      const length = readVarint();
      inside = part(message, at, length);
    } else throw new RangeError(`a field of type ${type}`);
    at += inside.length;
    yield { field, number, bytes: inside, whole: message.subarray(start, at) };
  }
}

function part(message: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > message.length) throw new RangeError('a part past the end');
  return message.subarray(at, at + length);
}
