import { TextModel } from './text_model.ts';

/** Ends a payload: a byte that UTF-8 never has. */
const END = 0xff;
/** No payload of 256 characters has more bytes. */
const BYTES_MAX = 1024;

/**
 * A text as few bits, by arithmetic coding under the text model: about two to four a letter of plain English, six and a half
 * of random letters and digits. The bits may be followed by any number of zeros.
 */
export function encodePayload(text: string): Uint8Array {
  const model = new TextModel();
  const bits: number[] = [];
  let [low, high] = [0, 0xffffffff];
  for (const byte of [...Buffer.from(text, 'utf8'), END]) {
    for (let place = 7; place >= 0; place--) {
      const bit = (byte >> place) & 1;
      const split = splitOf(low, high, model.chance);
      if (bit) high = split;
      else low = split + 1;
      model.learn(bit);
      while (((low ^ high) & 0x80000000) === 0) {
        bits.push(high >>> 31);
        [low, high] = [(low << 1) >>> 0, ((high << 1) | 1) >>> 0];
      }
    }
  }
  return Uint8Array.from([...bits, ...shortestBetween(low, high)]);
}

/** The text some bits stand for; undefined where they stand for none. */
export function decodePayload(bits: Uint8Array): string | undefined {
  const model = new TextModel();
  const bytes: number[] = [];
  let [low, high, value, at] = [0, 0xffffffff, 0, 0];
  const next = () => bits[at++] ?? 0;
  for (let count = 0; count < 32; count++) value = ((value << 1) | next()) >>> 0;
  while (bytes.length <= BYTES_MAX) {
    let byte = 0;
    for (let place = 0; place < 8; place++) {
      const split = splitOf(low, high, model.chance);
      const bit = value <= split ? 1 : 0;
      if (bit) high = split;
      else low = split + 1;
      model.learn(bit);
      byte = (byte << 1) | bit;
      while (((low ^ high) & 0x80000000) === 0) {
        [low, high] = [(low << 1) >>> 0, ((high << 1) | 1) >>> 0];
        value = ((value << 1) | next()) >>> 0;
      }
    }
    if (byte === END) return textOf(bytes);
    bytes.push(byte);
  }
  return undefined;
}

/** The last number of the part of an interval that stands for a 1. */
function splitOf(low: number, high: number, chance: number): number {
  const range = high - low;
  return low + Math.floor(range / 4096) * chance + Math.floor(((range % 4096) * chance) / 4096);
}

/** The fewest bits that, followed by zeros, are a number of the interval. */
function shortestBetween(low: number, high: number): number[] {
  for (let length = 0; length <= 32; length++) {
    const unit = 2 ** (32 - length);
    const number = Math.ceil(low / unit) * unit;
    if (number <= high)
      return Array.from({ length }, (_, place) => Math.floor(number / 2 ** (31 - place)) % 2);
  }
  return [];
}

function textOf(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
