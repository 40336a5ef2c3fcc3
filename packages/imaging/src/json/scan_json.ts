/** The contents of a string, without its quotes. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export interface JsonScan {
  /** The first limit that was exceeded; the scan stops there. */
  readonly excess: keyof JsonLimits | undefined;
  /** String values of more than LONG_STRING_BYTES without escapes. */
  readonly longStrings: readonly Span[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** Strings are scanned byte by byte up to this length; beyond it, a native search outweighs its call overhead. */
const SHORT_STRING_BYTES = 48;
/** Bytes without an escape after which the native search resumes. */
const ESCAPE_GAP_BYTES = 16;

const [SCALAR, IGNORED, OPEN, CLOSE] = [0, 1, 2, 3];
/** Kind of each byte outside strings. */
const KINDS = new Uint8Array(256);
for (const byte of Buffer.from(' \t\n\r,')) KINDS[byte] = IGNORED!;
for (const byte of Buffer.from('{[')) KINDS[byte] = OPEN!;
for (const byte of Buffer.from('}]')) KINDS[byte] = CLOSE!;
for (const byte of Buffer.from('":')) KINDS[byte] = 4;

/**
 * Counts the structure of a JSON text from its bytes before any allocation, and finds its long strings. It does not validate: counts are
 * exact for valid JSON, and `JSON.parse` rejects the rest. Never throws. Linear: about 1 ms per MiB of structure; a long string costs two
 * native byte searches.
 */
export function scanJson(bytes: Buffer, limits: JsonLimits): JsonScan {
  const strings = createStringReader(bytes, limits.escapes);
  const longStrings: Span[] = [];
  const namesAt = new Uint32Array(limits.depth + 1);
  let [depth, values, names] = [0, 0, 0];
  let longIsLast = false;
  let stop = limits.structureBytes;
  const over = (excess: keyof JsonLimits): JsonScan => ({ excess, longStrings: [] });
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= stop) return over('structureBytes');
    const byte = bytes[at]!;
    const kind = KINDS[byte]!;
    if (kind === IGNORED || kind === SCALAR) {
      const end = Math.min(bytes.length - 1, stop);
      while (at < end && KINDS[bytes[at + 1]!] === kind) at += 1;
      if (kind === IGNORED) continue;
    }
    if (byte === COLON) {
      // The preceding string was a member name, which a JSON.parse reviver cannot replace.
      if (longIsLast) longStrings.pop();
      longIsLast = false;
      values -= 1;
      names += 1;
      namesAt[depth]! += 1;
      if (names > limits.names) return over('names');
      if (namesAt[depth]! > limits.namesPerObject) return over('namesPerObject');
      continue;
    }
    if (kind === CLOSE) {
      depth = Math.max(0, depth - 1);
      continue;
    }
    values += 1;
    if (values > limits.values) return over('values');
    longIsLast = false;
    if (kind === OPEN) {
      depth += 1;
      if (depth > limits.depth) return over('depth');
      namesAt[depth] = 0;
    } else if (byte === QUOTE) {
      const from = at + 1;
      at = strings.end(from);
      if (strings.tooManyEscapes()) return over('escapes');
      if (at - from <= LONG_STRING_BYTES) continue;
      stop += at - from;
      longIsLast = strings.isPlain();
      if (longIsLast) longStrings.push({ from, to: at });
    }
  }
  return bytes.length > stop ? over('structureBytes') : { excess: undefined, longStrings };
}

/** Finds the ends of consecutive strings and counts escapes. */
function createStringReader(bytes: Buffer, escapesMax: number) {
  const { length } = bytes;
  let escapes = 0;
  let escapesBefore = 0;
  /** The next quote and backslash after the last search position: no part of the text is searched twice. */
  let [quote, backslash] = [-1, -1];
  const placeOf = (byte: number, from: number): number => {
    const place = bytes.indexOf(byte, from);
    return place < 0 ? length : place;
  };
  /** Scans byte by byte to the closing quote, or until `gap` bytes contained no escape. */
  const walk = (from: number, gap: number): number => {
    let at = from;
    for (let stop = from + gap; at < stop && at < length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) continue;
      escapes += 1;
      if (escapes > escapesMax) return length;
      at += 1;
      stop = at + gap;
    }
    return at;
  };
  return {
    /** Position of the closing quote of the string that starts at `from`, or the end of the text. */
    end(from: number): number {
      escapesBefore = escapes;
      let at = walk(from, SHORT_STRING_BYTES);
      while (at < length && bytes[at] !== QUOTE) {
        if (quote < at) quote = placeOf(QUOTE, at);
        if (backslash < at) backslash = placeOf(BACKSLASH, at);
        at = quote < backslash ? quote : walk(backslash, ESCAPE_GAP_BYTES);
      }
      return Math.min(at, length);
    },
    tooManyEscapes: (): boolean => escapes > escapesMax,
    /** Whether the last string has no escape. */
    isPlain: (): boolean => escapes === escapesBefore,
  };
}

/** Limits of one JSON text. Long strings count towards `values` and `escapes` only. */
export interface JsonLimits {
  /** Objects, arrays, strings, numbers and literals together. */
  readonly values: number;
  /** Member names of all objects together. */
  readonly names: number;
  readonly namesPerObject: number;
  /** Nesting depth of arrays and objects. */
  readonly depth: number;
  /** Bytes outside long strings. */
  readonly structureBytes: number;
  /** Escape sequences of all strings together. */
  readonly escapes: number;
}

/** Longer strings are skipped with a byte search and not counted as structure. */
const LONG_STRING_BYTES = 64 * 1024;

/**
 * Limits for client input. Distinct names cost most: V8 interns each one and converts a large object to a hash table, so that 1,000 names
 * in one object cost about as much as 10,000 numbers. Escapes: 25 MB of base64 in which every slash is escaped has 550,000.
 */
export const JSON_LIMITS: JsonLimits = {
  values: 20_000,
  names: 5_000,
  namesPerObject: 1_000,
  depth: 64,
  structureBytes: 1024 * 1024,
  escapes: 1_000_000,
};
