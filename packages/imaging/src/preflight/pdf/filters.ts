import { inflateSync } from 'node:zlib';
import { COST, type WorkBudget } from '../work_budget.ts';
import { latin1 } from './lexer.ts';
import type { PdfDictionary } from './values.ts';

/** Output of a filter. */
export interface FilterOutput {
  readonly data: Uint8Array;
  /** Reason for incomplete output: damaged or truncated input, or the limit was exceeded. */
  readonly problem?: 'broken' | 'too_large';
}

/** General-purpose filters. ISO 32000-1, 7.4 */
const FILTERS: Record<string, (raw: Uint8Array, max: number, early: number) => FilterOutput> = {
  FlateDecode: inflate,
  LZWDecode: decodeLzw,
  ASCII85Decode: decodeAscii85,
  ASCIIHexDecode: decodeAsciiHex,
  RunLengthDecode: decodeRunLength,
};

const LONG_NAMES: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  RL: 'RunLengthDecode',
  DCT: 'DCTDecode',
  CCF: 'CCITTFaxDecode',
};
export const fullFilterName = (filter: string): string => LONG_NAMES[filter] ?? filter;

/** Tests for a filter decoded here; the others are image filters. */
export const isSupportedFilter = (filter: string): boolean => Object.hasOwn(FILTERS, filter);

/**
 * Decodes one filter and its predictor.
 * @param parameters DecodeParms with resolved values
 * @param max maximum bytes; buffers may be slightly larger
 * @throws WorkBudgetExceeded
 */
export function decodeFilter(
  filter: string,
  raw: Uint8Array,
  { parameters, max, work }: { parameters: PdfDictionary | undefined; max: number; work: WorkBudget },
): FilterOutput {
  work.spend(COST.stream);
  const early = parameters?.get('EarlyChange') === 0 ? 0 : 1;
  const unpacked = FILTERS[filter]!(raw, max, early);
  // Oversized output is discarded, but was decoded up to its limit.
  const unpackedBytes = unpacked.problem === 'too_large' ? max : unpacked.data.length;
  const isHere = filter !== 'FlateDecode' || parameters?.has('Predictor');
  work.spend((isHere ? COST.byteUnpackedHere : COST.byteUnpacked) * (raw.length + unpackedBytes));
  const data = undoPredictor(unpacked.data, parameters);
  return data ? { ...unpacked, data } : { data: new Uint8Array(0), problem: 'broken' };
}

/** Inflates a stream; of a truncated stream, the readable part. */
export function inflate(raw: Uint8Array, max: number): FilterOutput {
  // 4 is Z_FINISH; 2 is Z_SYNC_FLUSH: no error if the end is missing.
  const whole = tryInflate(raw, max, 4);
  if (whole instanceof Uint8Array) return { data: whole };
  if (whole === 'too_large') return { data: new Uint8Array(0), problem: 'too_large' };
  const part = tryInflate(raw, max, 2);
  return { data: part instanceof Uint8Array ? part : new Uint8Array(0), problem: 'broken' };
}

function tryInflate(raw: Uint8Array, max: number, finishFlush: number): Uint8Array | 'too_large' | 'broken' {
  try {
    return inflateSync(raw, { maxOutputLength: Math.max(1, max), finishFlush });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'broken';
  }
}

const [CLEAR, STOP, FIRST_FREE, CODES_MAX] = [256, 257, 258, 4096];

/** Decodes LZW. ISO 32000-1, 7.4.4; TIFF 6.0, section 13, is the same with `early` 1. */
export function decodeLzw(raw: Uint8Array, max: number, early = 1): FilterOutput {
  const out = createGrowingBuffer(max);
  const [prefix, last, lengths] = [
    new Uint16Array(CODES_MAX),
    new Uint8Array(CODES_MAX),
    new Uint16Array(CODES_MAX),
  ];
  for (let code = 0; code < 256; code += 1) {
    last[code] = code;
    lengths[code] = 1;
  }
  let [next, width, previous, bits, held] = [FIRST_FREE, 9, -1, 0, 0];
  for (const byte of raw) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === STOP) return out.done();
    if (code === CLEAR) {
      [next, width, previous] = [FIRST_FREE, 9, -1];
      continue;
    }
    if (code > next || (code === next && previous < 0)) return out.done('broken');
    const known = code < next ? code : previous;
    const length = lengths[known]! + (code < next ? 0 : 1);
    const end = out.grow(length);
    if (end < 0) return out.done('too_large');
    let at = end;
    if (code >= next) at -= 1;
    let walk = known;
    for (let left = lengths[known]!; left > 0; left -= 1) {
      at -= 1;
      out.bytes[at] = last[walk]!;
      walk = prefix[walk]!;
    }
    const first = out.bytes[end - length]!;
    if (code >= next) out.bytes[end - 1] = first;
    if (previous >= 0 && next < CODES_MAX) {
      prefix[next] = previous;
      last[next] = first;
      lengths[next] = lengths[previous]! + 1;
      next += 1;
      if (next + early >= 1 << width && width < 12) width += 1;
    }
    previous = code;
  }
  return out.done();
}

/** Decodes run lengths. ISO 32000-1, 7.4.5; TIFF PackBits is the same without an end marker. */
export function decodeRunLength(raw: Uint8Array, max: number): FilterOutput {
  const out = createGrowingBuffer(max);
  for (let at = 0; at < raw.length; ) {
    const length = raw[at]!;
    if (length === 128) break;
    const count = length < 128 ? length + 1 : 257 - length;
    const end = out.grow(count);
    if (end < 0) return out.done('too_large');
    if (length < 128) out.bytes.set(raw.subarray(at + 1, at + 1 + count), end - count);
    else out.bytes.fill(raw[at + 1] ?? 0, end - count, end);
    at += length < 128 ? 1 + count : 2;
  }
  return out.done();
}

function decodeAsciiHex(raw: Uint8Array, max: number): FilterOutput {
  const [digits = ''] = /^[^>]*/.exec(latin1(raw).replace(/[^0-9a-fA-F>]/g, '')) ?? [];
  const data = Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
  return data.length > max ? { data: data.subarray(0, max), problem: 'too_large' } : { data };
}

/** Five digits encode four bytes. ISO 32000-1, 7.4.3 */
function decodeAscii85(raw: Uint8Array, max: number): FilterOutput {
  const out = createGrowingBuffer(max);
  let [value, digits] = [0, 0];
  const put = (bytes: number): boolean => {
    const end = out.grow(bytes);
    if (end < 0) return false;
    for (let index = 0; index < bytes; index += 1)
      out.bytes[end - bytes + index] = Math.floor(value / 256 ** (3 - index)) & 0xff;
    [value, digits] = [0, 0];
    return true;
  };
  for (const byte of raw) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) {
      if (!put(4)) return out.done('too_large');
    } else if (byte >= 0x21 && byte <= 0x75) {
      value = value * 85 + byte - 0x21;
      digits += 1;
      if (digits === 5 && !put(4)) return out.done('too_large');
    }
  }
  if (digits > 1) {
    const bytes = digits - 1;
    for (let index = digits; index < 5; index += 1) value = value * 85 + 84;
    if (!put(bytes)) return out.done('too_large');
  }
  return out.done();
}

/** A buffer that doubles when full, up to a limit. */
function createGrowingBuffer(max: number) {
  let [bytes, end] = [new Uint8Array(Math.min(max, 65_536)), 0];
  return {
    get bytes() {
      return bytes;
    },
    /** Reserves bytes and returns their end; -1 beyond the limit. */
    grow(count: number): number {
      if (end + count > max) return -1;
      if (end + count > bytes.length) {
        const larger = new Uint8Array(Math.min(max, Math.max(2 * bytes.length, end + count)));
        larger.set(bytes);
        bytes = larger;
      }
      end += count;
      return end;
    },
    done(problem?: FilterOutput['problem']): FilterOutput {
      const data = bytes.subarray(0, end);
      return problem ? { data, problem } : { data };
    },
  };
}

/**
 * Undoes the predictor: 2 is TIFF's; from 10 on, each row names its PNG filter. ISO 32000-1, 7.4.4.4. Undefined for
 * implausible row lengths.
 */
function undoPredictor(data: Uint8Array, parameters: PdfDictionary | undefined): Uint8Array | undefined {
  const number = (name: string, otherwise: number): number => {
    const value = parameters?.get(name);
    return typeof value === 'number' ? value : otherwise;
  };
  const predictor = number('Predictor', 1);
  if (predictor < 2) return data;
  const [colors, bits, columns] = [number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1)];
  const isSensible = [colors, bits, columns].every((value) => Number.isInteger(value) && value > 0);
  const rowBytes = Math.ceil((colors * bits * columns) / 8);
  if (!isSensible || rowBytes > 64 * 1024 * 1024) return undefined;
  const pixelBytes = Math.max(1, (colors * bits) >> 3);
  return predictor === 2
    ? undoTiffPredictor(data, { rowBytes, pixelBytes, bits })
    : undoPng(data, rowBytes, pixelBytes);
}

/** Undoes TIFF predictor 2 for 8 and 16 bits. No known program writes it for fewer bits. */
function undoTiffPredictor(
  data: Uint8Array,
  { rowBytes, pixelBytes, bits }: { rowBytes: number; pixelBytes: number; bits: number },
): Uint8Array {
  const result = Uint8Array.from(data);
  if (bits !== 8 && bits !== 16) return result;
  for (let row = 0; row < result.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, result.length);
    if (bits === 8)
      for (let at = row + pixelBytes; at < end; at += 1) result[at]! += result[at - pixelBytes]!;
    else
      for (let at = row + pixelBytes; at + 1 < end; at += 2) {
        const left = (result[at - pixelBytes]! << 8) + result[at - pixelBytes + 1]!;
        const sum = (result[at]! << 8) + result[at + 1]! + left;
        result[at] = sum >> 8;
        result[at + 1] = sum;
      }
  }
  return result;
}

/** Undoes the PNG filters (ISO 15948, 9.2): none, sub, up, average, Paeth. */
function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const result = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (rowBytes + 1);
    const line = data.subarray(from + 1, from + 1 + rowBytes);
    const to = row * rowBytes;
    const kind = data[from]!;
    for (let x = 0; x < line.length; x += 1) {
      const left = x >= pixelBytes ? result[to + x - pixelBytes]! : 0;
      const up = row > 0 ? result[to + x - rowBytes]! : 0;
      const corner = row > 0 && x >= pixelBytes ? result[to + x - rowBytes - pixelBytes]! : 0;
      result[to + x] = line[x]! + predictSample(kind, left, up, corner);
    }
  }
  return result;
}

function predictSample(kind: number, left: number, up: number, corner: number): number {
  if (kind === 0 || kind > 4) return 0;
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
