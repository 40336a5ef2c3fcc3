import { brokenPicture } from '../codecs/headers/header.ts';

const damaged = () => brokenPicture('a part of the TIFF in LZMA is damaged');

const MAGIC = 'fd377a585a00';
const HEADER_BYTES = 12;
const DELTA = 3;
const LZMA2 = 0x21;

/**
 * Decompresses the first block of an .xz stream with LZMA2 and optional delta filters, as written by libtiff. Checksums are not verified, because
 * corruption is visible in the image. Source: The .xz File Format 1.2.1; the LZMA specification of the LZMA SDK, public domain.
 * @param bytesMax maximum decompressed size
 * @throws EngineError undecodable_image
 */
export function unpackXz(packed: Uint8Array, bytesMax: number): Uint8Array {
  const file = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (file.toString('hex', 0, 6) !== MAGIC) throw damaged();
  const headerBytes = 4 * (file.readUInt8(HEADER_BYTES) + 1);
  const filters = readFilters(file.subarray(HEADER_BYTES, HEADER_BYTES + headerBytes));
  if (filters.at(-1)?.id !== LZMA2) throw damaged();
  const out = unpackLzma2(file.subarray(HEADER_BYTES + headerBytes), bytesMax);
  for (const { id, properties } of filters.slice(0, -1).reverse()) {
    if (id !== DELTA) throw damaged();
    undoDelta(out, (properties[0] ?? 0) + 1);
  }
  return out;
}

function readFilters(header: Buffer) {
  const flags = header.readUInt8(1);
  let at = 2;
  const number = () => {
    let value = 0;
    for (let shift = 0; shift < 63; shift += 7) {
      const byte = header.readUInt8(at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw damaged();
  };
  // Compressed and uncompressed size, if present.
  if (flags & 0x40) number();
  if (flags & 0x80) number();
  return Array.from({ length: (flags & 3) + 1 }, () => {
    const [id, length] = [number(), number()];
    at += length;
    return { id, properties: header.subarray(at - length, at) };
  });
}

function undoDelta(bytes: Uint8Array, distance: number): void {
  for (let at = distance; at < bytes.length; at += 1) bytes[at] = bytes[at]! + bytes[at - distance]!;
}

/** Chunk types: 0 is the end, 1 and 2 are stored, 0x80 and above are LZMA with the preceding resets. */
function unpackLzma2(packed: Buffer, bytesMax: number): Uint8Array {
  const out = new Uint8Array(bytesMax);
  const decoder = new LzmaDecoder(out);
  let at = 0;
  for (;;) {
    const control = packed.readUInt8(at++);
    if (control === 0) return out.subarray(0, decoder.length);
    if (control < 0x80) {
      const size = packed.readUInt16BE(at) + 1;
      if (control > 2 || at + 2 + size > packed.length) throw damaged();
      decoder.store(packed.subarray(at + 2, at + 2 + size));
      at += 2 + size;
      continue;
    }
    const size = ((control & 0x1f) << 16) + packed.readUInt16BE(at) + 1;
    const packedSize = packed.readUInt16BE(at + 2) + 1;
    at += 4;
    const reset = (control >> 5) & 3;
    if (reset >= 2) decoder.setProperties(packed.readUInt8(at++));
    else if (reset === 1) decoder.resetState();
    if (at + packedSize > packed.length) throw damaged();
    decoder.unpack(packed.subarray(at, at + packedSize), size);
    at += packedSize;
  }
}

const STATES = 12;
const MATCH_BYTES_MIN = 2;
const HALF = 1 << 10;
const RANGE_MIN = 1 << 24;

const probabilities = (count: number) => new Uint16Array(count).fill(HALF);

/** Lengths of matches: low, middle and high, by position in the file. */
class LengthModel {
  readonly choices = probabilities(2);
  readonly low = probabilities(16 << 3);
  readonly middle = probabilities(16 << 3);
  readonly high = probabilities(256);
}

/** LZMA with its range decoder; names of states and models follow the LZMA specification. */
class LzmaDecoder {
  length = 0;
  readonly #out: Uint8Array;
  #literalContextBits = 0;
  #literalPositionMask = 0;
  #positionMask = 0;
  #state = 0;
  #distances = [0, 0, 0, 0];
  #literals = probabilities(0);
  #isMatch = probabilities(0);
  #isRep = probabilities(0);
  #isRepG0 = probabilities(0);
  #isRepG1 = probabilities(0);
  #isRepG2 = probabilities(0);
  #isRep0Long = probabilities(0);
  #slots = probabilities(0);
  #special = probabilities(0);
  #align = probabilities(0);
  #lengths = new LengthModel();
  #repLengths = new LengthModel();
  #in: Buffer = Buffer.alloc(0);
  #at = 0;
  #range = 0;
  #code = 0;

  constructor(out: Uint8Array) {
    this.#out = out;
  }

  store(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#out.length) throw damaged();
    this.#out.set(bytes, this.length);
    this.length += bytes.length;
  }

  setProperties(byte: number): void {
    if (byte >= 225) throw damaged();
    this.#literalContextBits = byte % 9;
    const positions = Math.floor(byte / 9);
    this.#literalPositionMask = (1 << (positions % 5)) - 1;
    this.#positionMask = (1 << Math.floor(positions / 5)) - 1;
    this.resetState();
  }

  resetState(): void {
    this.#state = 0;
    this.#distances = [0, 0, 0, 0];
    this.#literals = probabilities((this.#literalPositionMask + 1) * (0x300 << this.#literalContextBits));
    this.#isMatch = probabilities(STATES << 4);
    this.#isRep = probabilities(STATES);
    this.#isRepG0 = probabilities(STATES);
    this.#isRepG1 = probabilities(STATES);
    this.#isRepG2 = probabilities(STATES);
    this.#isRep0Long = probabilities(STATES << 4);
    this.#slots = probabilities(4 << 6);
    this.#special = probabilities(128);
    this.#align = probabilities(16);
    this.#lengths = new LengthModel();
    this.#repLengths = new LengthModel();
  }

  /** Decompresses one chunk to exactly `size` bytes. */
  unpack(packed: Buffer, size: number): void {
    const end = this.length + size;
    if (end > this.#out.length || this.#literals.length === 0 || packed.length < 5) throw damaged();
    this.#in = packed;
    this.#range = 0xffffffff;
    this.#code = packed.readUInt32BE(1);
    this.#at = 5;
    while (this.length < end) {
      const position = this.length & this.#positionMask;
      if (this.#bit(this.#isMatch, (this.#state << 4) + position) === 0) this.#literal();
      else this.#copy(this.#matchLength(position), end);
    }
  }

  #bit(model: Uint16Array, index: number): number {
    const probability = model[index]!;
    const bound = (this.#range >>> 11) * probability;
    const isZero = this.#code < bound;
    if (isZero) {
      this.#range = bound;
      model[index] = probability + ((2048 - probability) >> 5);
    } else {
      this.#code -= bound;
      this.#range -= bound;
      model[index] = probability - (probability >> 5);
    }
    this.#normalise();
    return isZero ? 0 : 1;
  }

  #normalise(): void {
    if (this.#range >= RANGE_MIN) return;
    if (this.#at >= this.#in.length) throw damaged();
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#in[this.#at]!) >>> 0;
    this.#at += 1;
  }

  #direct(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1) {
      this.#range >>>= 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      this.#normalise();
      value = value * 2 + (isOne ? 1 : 0);
    }
    return value;
  }

  #tree(model: Uint16Array, start: number, bits: number): number {
    let symbol = 1;
    for (let bit = 0; bit < bits; bit += 1) symbol = symbol * 2 + this.#bit(model, start + symbol);
    return symbol - (1 << bits);
  }

  #reverseTree(model: Uint16Array, start: number, bits: number): number {
    let [symbol, value] = [1, 0];
    for (let bit = 0; bit < bits; bit += 1) {
      const one = this.#bit(model, start + symbol);
      symbol = symbol * 2 + one;
      value |= one << bit;
    }
    return value;
  }

  #literal(): void {
    const before = this.length > 0 ? this.#out[this.length - 1]! : 0;
    const context =
      ((this.length & this.#literalPositionMask) << this.#literalContextBits) +
      (before >> (8 - this.#literalContextBits));
    const start = 0x300 * context;
    let symbol = 1;
    if (this.#state >= 7) {
      let match = this.#out[this.length - this.#distances[0]! - 1] ?? 0;
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1;
        match <<= 1;
        const bit = this.#bit(this.#literals, start + ((1 + expected) << 8) + symbol);
        symbol = symbol * 2 + bit;
        if (bit !== expected) break;
      }
    }
    while (symbol < 0x100) symbol = symbol * 2 + this.#bit(this.#literals, start + symbol);
    this.#out[this.length] = symbol & 0xff;
    this.length += 1;
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  /** Also sets the distance. */
  #matchLength(position: number): number {
    if (this.#bit(this.#isRep, this.#state) === 0) {
      const length = this.#lengthOf(this.#lengths, position);
      this.#state = this.#state < 7 ? 7 : 10;
      this.#distances = [this.#distance(length), ...this.#distances.slice(0, 3)];
      return length;
    }
    if (this.#bit(this.#isRepG0, this.#state) === 0) {
      if (this.#bit(this.#isRep0Long, (this.#state << 4) + position) === 0) {
        this.#state = this.#state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      const which =
        this.#bit(this.#isRepG1, this.#state) === 0 ? 1 : this.#bit(this.#isRepG2, this.#state) === 0 ? 2 : 3;
      const [distance] = this.#distances.splice(which, 1);
      this.#distances.unshift(distance!);
    }
    this.#state = this.#state < 7 ? 8 : 11;
    return this.#lengthOf(this.#repLengths, position);
  }

  #lengthOf(model: LengthModel, position: number): number {
    if (this.#bit(model.choices, 0) === 0) return MATCH_BYTES_MIN + this.#tree(model.low, position << 3, 3);
    if (this.#bit(model.choices, 1) === 0)
      return MATCH_BYTES_MIN + 8 + this.#tree(model.middle, position << 3, 3);
    return MATCH_BYTES_MIN + 16 + this.#tree(model.high, 0, 8);
  }

  #distance(length: number): number {
    const slot = this.#tree(this.#slots, Math.min(length - MATCH_BYTES_MIN, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + this.#reverseTree(this.#special, base - slot, bits);
    return base + this.#direct(bits - 4) * 16 + this.#reverseTree(this.#align, 0, 4);
  }

  #copy(length: number, end: number): void {
    const distance = this.#distances[0]! + 1;
    if (distance > this.length || this.length + length > end) throw damaged();
    for (let count = 0; count < length; count += 1, this.length += 1)
      this.#out[this.length] = this.#out[this.length - distance]!;
  }
}
