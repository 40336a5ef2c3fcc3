import type { Writable } from 'node:stream';
import { Deserializer, Serializer } from 'node:v8';

/**
 * Values over a pipe, as the structured clone algorithm writes them, but with typed arrays beside the value instead of
 * in it: an image is then copied once by the kernel and once by the reader. A frame is a count and that
 * many parts, each a length and its bytes; the first part is the value.
 */
export function writeFrame(pipe: Writable, value: unknown): void {
  pipe.cork();
  for (const piece of frameOf(value)) pipe.write(piece);
  pipe.uncork();
}

/** The pieces of a frame, to be written one after the other. */
export function frameOf(value: unknown): Uint8Array[] {
  const serializer = new ValueWriter();
  serializer.writeValue(value);
  const parts = [serializer.releaseBuffer(), ...serializer.arrays];
  return [uint32(parts.length), ...parts.flatMap((part) => [uint32(part.byteLength), part])];
}

/** Takes the pieces a pipe delivers, cut anywhere, and calls back with every value. The pieces may be overwritten afterwards. */
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
      // A part without bytes is filled as soon as it begins.
      while (filled === target.length) onFilled();
    }
  };
}

/** The value whose typed arrays are views of the parts, where their alignment allows. */
export function valueIn([value, ...arrays]: Uint8Array[]): unknown {
  return new ValueReader(value!, arrays).readValue();
}

/** What stands before every part, and the count of parts before all. */
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
  /** Documented by Node, forgotten by its types. */
  declare _setTreatArrayBufferViewsAsHostObjects: (yes: boolean) => void;
  readonly arrays: Uint8Array[] = [];

  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(array: ArrayBufferView): void {
    const type = ARRAY_TYPES.findIndex((Type) => array instanceof Type);
    if (type < 0) throw new TypeError('Only typed arrays pass between processes');
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
