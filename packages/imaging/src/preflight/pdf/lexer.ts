import { ARRAY_MEMBERS_MAX, NUMBER_MAX, PDF_DEPTH_MAX, STRING_BYTES_MAX } from '../limits.ts';
import { COST, type WorkBudget } from '../work_budget.ts';
import { Name, Operator, type PdfDictionary, PdfText, type PdfValue, Reference } from './values.ts';

/** Thrown for data that cannot be read as PDF. */
export class PdfReadError extends Error {}

const [WHITE, DELIMITER] = [1, 2];
/** Character class of a byte outside strings. ISO 32000-1, 7.2.2 */
const KIND = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KIND[byte] = WHITE;
for (const character of '()<>[]{}/%') KIND[character.charCodeAt(0)] = DELIMITER;

/** End of the data. */
export const END = Symbol('end');
const CLOSING = { ']': Symbol(']'), '>>': Symbol('>>') };
type Token = PdfValue | typeof END | symbol;

/** Reads PDF values sequentially. For any input, every call advances and none reads beyond the end. */
export class Lexer {
  readonly bytes: Uint8Array;
  readonly work: WorkBudget;
  at: number;
  #tokens = 0;

  constructor(bytes: Uint8Array, work: WorkBudget, at = 0) {
    this.bytes = bytes;
    this.work = work;
    this.at = at;
  }

  /** Reads the next value. Skips unmatched closing brackets. @throws PdfReadError if nested too deeply; WorkBudgetExceeded */
  value(): PdfValue | typeof END {
    const start = this.at;
    this.#tokens = 0;
    for (;;) {
      const token = this.#token(0);
      if (typeof token === 'symbol' && token !== END) continue;
      this.work.spend(COST.token * this.#tokens + COST.byteRead * (this.at - start));
      return token as PdfValue | typeof END;
    }
  }

  /** Reads the next value; `12 0 R` becomes a reference. */
  valueOrReference(): PdfValue | typeof END {
    const first = this.value();
    return typeof first === 'number' ? (this.#referenceFrom(first) ?? first) : first;
  }

  /** @throws WorkBudgetExceeded */
  skipWhite(): void {
    const start = this.at;
    this.#skipWhite();
    this.work.spend(COST.byteSearched * (this.at - start));
  }

  #skipWhite(): void {
    const { bytes } = this;
    while (this.at < bytes.length) {
      const byte = bytes[this.at]!;
      if (byte === 0x25) while (this.at < bytes.length && !isLineEnd(bytes[this.at]!)) this.at += 1;
      else if (KIND[byte] !== WHITE) return;
      else this.at += 1;
    }
  }

  #token(depth: number): Token {
    this.#skipWhite();
    this.#tokens += 1;
    const { bytes } = this;
    if (this.at >= bytes.length) return END;
    const byte = bytes[this.at]!;
    switch (byte) {
      case 0x2f:
        this.at += 1;
        return this.#name();
      case 0x28:
        this.at += 1;
        return this.#literal();
      case 0x5b:
        this.at += 1;
        return this.#array(depth);
      case 0x5d:
        this.at += 1;
        return CLOSING[']'];
      case 0x3c:
        if (bytes[this.at + 1] !== 0x3c) return this.#hexadecimal();
        this.at += 2;
        return this.#dictionary(depth);
      case 0x3e:
        this.at += bytes[this.at + 1] === 0x3e ? 2 : 1;
        return CLOSING['>>'];
      case 0x29:
      case 0x7b:
      case 0x7d:
        this.at += 1;
        return new Operator(String.fromCharCode(byte));
      default:
        return this.#word();
    }
  }

  #word(): PdfValue {
    const { bytes } = this;
    const start = this.at;
    while (this.at < bytes.length && KIND[bytes[this.at]!] === 0) this.at += 1;
    const first = bytes[start]!;
    const text = latin1(bytes.subarray(start, Math.min(this.at, start + 64)));
    if (first <= 0x39 && first >= 0x2b) {
      const number = Number(text);
      if (!Number.isNaN(number)) return bounded(number);
      const [leading] = /^[+-]*\d*\.?\d*/.exec(text)!;
      if (/\d/.test(leading)) return bounded(Number(leading.replace(/^[+-]*(?=[+-])/, '')) || 0);
    }
    if (text === 'true') return true;
    if (text === 'false') return false;
    return text === 'null' ? null : new Operator(text);
  }

  #name(): Name {
    const { bytes } = this;
    const start = this.at;
    while (this.at < bytes.length && KIND[bytes[this.at]!] === 0) this.at += 1;
    const text = latin1(bytes.subarray(start, Math.min(this.at, start + 256)));
    return new Name(
      text.includes('#')
        ? text.replace(/#([0-9a-fA-F]{2})/g, (_, digits: string) =>
            String.fromCharCode(Number.parseInt(digits, 16)),
          )
        : text,
    );
  }

  /** Reads a literal string: `(text \(with\) brackets)`. ISO 32000-1, 7.3.4.2 */
  #literal(): PdfText {
    const { bytes } = this;
    const result: number[] = [];
    let open = 1;
    for (; this.at < bytes.length; this.at += 1) {
      const byte = bytes[this.at]!;
      if (byte === 0x5c) this.#escape(result);
      else {
        if (byte === 0x28) open += 1;
        if (byte === 0x29) open -= 1;
        if (open === 0) break;
        result.push(byte);
      }
      if (result.length > STRING_BYTES_MAX)
        throw new PdfReadError(`it has a string of more than ${STRING_BYTES_MAX} bytes`);
    }
    this.at += 1;
    return new PdfText(Uint8Array.from(result));
  }

  /** Reads an escape sequence, from the backslash to its last byte. */
  #escape(result: number[]): void {
    const { bytes } = this;
    this.at += 1;
    const byte = bytes[this.at] ?? 0;
    if (byte >= 0x30 && byte <= 0x37) {
      let [code, digits] = [0, 0];
      for (; digits < 3 && (bytes[this.at]! & 0xf8) === 0x30; digits += 1, this.at += 1)
        code = code * 8 + bytes[this.at]! - 0x30;
      this.at -= 1;
      result.push(code & 0xff);
    } else if (byte === 0x0d && bytes[this.at + 1] === 0x0a) this.at += 1;
    else if (!isLineEnd(byte)) result.push(ESCAPES[String.fromCharCode(byte)] ?? byte);
  }

  #hexadecimal(): PdfText {
    const { bytes } = this;
    const end = bytes.indexOf(0x3e, this.at);
    const stop = end < 0 ? bytes.length : end;
    const digits = latin1(bytes.subarray(this.at + 1, stop)).replace(/[^0-9a-fA-F]/g, '');
    this.at = stop + 1;
    return new PdfText(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex'));
  }

  #array(depth: number): PdfValue[] {
    rejectDepth(depth);
    const values: PdfValue[] = [];
    for (;;) {
      const token = this.#token(depth + 1);
      if (token === END || token === CLOSING[']']) return values;
      if (typeof token === 'symbol') continue;
      if (token instanceof Operator && isReferenceEnd(token, values)) {
        values.length -= 1;
        values.push(new Reference(values.pop() as number));
      } else values.push(token);
      if (values.length > ARRAY_MEMBERS_MAX)
        throw new PdfReadError(`it has an array of more than ${ARRAY_MEMBERS_MAX} members`);
    }
  }

  #dictionary(depth: number): PdfDictionary {
    rejectDepth(depth);
    const dictionary: PdfDictionary = new Map();
    let key: string | undefined;
    for (;;) {
      const token = this.#token(depth + 1);
      if (token === END || token === CLOSING['>>']) return dictionary;
      if (typeof token === 'symbol') continue;
      if (key === undefined) {
        // A keyword that ends the object: the closing bracket of the dictionary is missing.
        if (token instanceof Operator && /^(endobj|endstream|stream)$/.test(token.text)) return dictionary;
        if (token instanceof Name) key = token.text;
        continue;
      }
      dictionary.set(key, (typeof token === 'number' ? this.#referenceFrom(token) : undefined) ?? token);
      key = undefined;
    }
  }

  /** Reads ` 0 R` after a number, which makes it a reference. */
  #referenceFrom(number: number): Reference | undefined {
    if (!Number.isInteger(number) || number < 0) return undefined;
    const { bytes } = this;
    let at = this.at;
    const skip = (): boolean => {
      const start = at;
      while (KIND[bytes[at] ?? 0x2f] === WHITE) at += 1;
      return at > start;
    };
    if (!skip()) return undefined;
    const digits = at;
    while (bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at += 1;
    if (at === digits || at - digits > 5 || !skip()) return undefined;
    if (bytes[at] !== 0x52 || KIND[bytes[at + 1] ?? 0x20] === 0) return undefined;
    this.at = at + 1;
    return new Reference(number);
  }
}

const ESCAPES: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** Clamps numbers, so that sums and products stay finite. */
const bounded = (number: number): number => Math.min(NUMBER_MAX, Math.max(-NUMBER_MAX, number));

const isLineEnd = (byte: number): boolean => byte === 0x0a || byte === 0x0d;

/** Tests for the `R` of `12 0 R` inside an array, whose numbers were read before. */
const isReferenceEnd = ({ text }: Operator, values: readonly PdfValue[]): boolean =>
  text === 'R' && Number.isInteger(values.at(-1)) && Number.isInteger(values.at(-2));

function rejectDepth(depth: number): void {
  if (depth > PDF_DEPTH_MAX)
    throw new PdfReadError(`values are nested more than ${PDF_DEPTH_MAX} levels deep`);
}

export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
