import type { Writable } from 'node:stream';
import { Deserializer, Serializer } from 'node:v8';

/**
 * Structured-clone values over a pipe, with typed arrays beside the value instead of inside it: an image is then copied once by the kernel
 * and once by the reader. A frame is a count and that many parts, each a length and its bytes; the first part is the value.
 */
export function writeFrame(pipe: Writable, value: unknown, put?: (part: Uint8Array) => boolean): void {
  const [first, ...others] = frameOf(value, put);
  if (others.length === 0) return void pipe.write(first);
  pipe.cork();
  pipe.write(first);
  for (const piece of others) pipe.write(piece);
  pipe.uncork();
}

/** Parts up to this size are copied next to their predecessor, because a separate chunk costs more to write. */
const COPIED_BYTES_MAX = 16 * 1024;

/** Flag in the length of a part that is in the input file of the reader (`input_file.ts`) instead of the pipe. */
export const IN_FILE = 2 ** 31;

/**
 * The chunks of a frame in write order; a single chunk if all parts are short.
 * @param put writes a long part to the input file of the reader instead, which holds one part; false if it does not fit
 */
export function frameOf(value: unknown, put: (part: Uint8Array) => boolean = () => false): Uint8Array[] {
  const serializer = new ValueWriter();
  serializer.writeValue(value);
  const parts: Uint8Array[] = [serializer.releaseBuffer(), ...serializer.arrays];
  const pieces: Uint8Array[] = [];
  let short: Uint8Array[] = [uint32(parts.length)];
  let hasPut = false;
  for (const part of parts) {
    if (!hasPut && part.byteLength > COPIED_BYTES_MAX && put(part)) {
      hasPut = true;
      short.push(uint32(part.byteLength + IN_FILE));
      continue;
    }
    short.push(uint32(part.byteLength));
    if (part.byteLength <= COPIED_BYTES_MAX) {
      short.push(part);
      continue;
    }
    pieces.push(Buffer.concat(short), part);
    short = [];
  }
  return short.length > 0 ? [...pieces, Buffer.concat(short)] : pieces;
}

/** Parses chunks of a pipe, split at arbitrary positions, and calls back with every value. Chunks may be overwritten afterwards. */
export function frameReader(receive: (value: unknown) => void): (piece: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let partsLeft = 0;
  let isLength = true;
  let target = new Uint8Array(LENGTH_BYTES);
  let filled = 0;

  const next = (bytes: number, length: boolean) => {
    isLength = length;
    target = new Uint8Array(bytes);
    filled = 0;
  };
  const onFilled = () => {
    if (isLength && partsLeft === 0) {
      partsLeft = readUint32(target);
      return next(LENGTH_BYTES, true);
    }
    if (isLength) return next(readUint32(target), false);
    parts.push(target);
    partsLeft -= 1;
    next(LENGTH_BYTES, true);
    if (partsLeft > 0) return;
    const whole = parts;
    parts = [];
    receive(valueIn(whole));
  };

  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      const bytes = Math.min(piece.length - at, target.length - filled);
      target.set(piece.subarray(at, at + bytes), filled);
      filled += bytes;
      at += bytes;
      // An empty part is complete immediately.
      while (filled === target.length) onFilled();
    }
  };
}

/** Decodes a value whose typed arrays are views of the parts, if their alignment allows. */
export function valueIn([value, ...arrays]: Uint8Array[]): unknown {
  return new ValueReader(value!, arrays).readValue();
}

/** Size of the length before every part, and of the part count. */
export const LENGTH_BYTES = 4;
const ARRAY_TYPES = [
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
];

class ValueWriter extends Serializer {
  /** Documented by Node, but missing in its types. */
  declare _setTreatArrayBufferViewsAsHostObjects: (yes: boolean) => void;
  readonly arrays: Uint8Array[] = [];

  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(array: ArrayBufferView): void {
    const type = ARRAY_TYPES.findIndex((Type) => array instanceof Type);
    if (type < 0) throw new TypeError('Only typed arrays can be sent between processes');
    this.writeUint32(type);
    this.writeUint32(this.arrays.length);
    this.arrays.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
}

class ValueReader extends Deserializer {
  readonly #arrays: Uint8Array[];

  constructor(value: Uint8Array, arrays: Uint8Array[]) {
    super(value);
    this.#arrays = arrays;
  }

  _readHostObject(): ArrayBufferView {
    const Type = ARRAY_TYPES[this.readUint32()]!;
    const part = this.#arrays[this.readUint32()]!;
    const { buffer, byteOffset, byteLength } =
      part.byteOffset % Type.BYTES_PER_ELEMENT === 0 ? part : new Uint8Array(part);
    return new Type(buffer as ArrayBuffer, byteOffset, byteLength / Type.BYTES_PER_ELEMENT);
  }
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
export const readUint32 = ({ buffer, byteOffset }: Uint8Array): number =>
  new DataView(buffer, byteOffset).getUint32(0, true);
