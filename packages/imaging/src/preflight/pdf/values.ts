import { TEXT_BYTES_MAX } from '../limits.ts';

/** PDF objects. ISO 32000-1, 7.3 */
export type PdfValue =
  | null
  | boolean
  | number
  | Name
  | PdfText
  | Reference
  | Operator
  | PdfStream
  | PdfDictionary
  | PdfValue[];

export type PdfDictionary = Map<string, PdfValue>;

export class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A string object: bytes, not necessarily text. */
export class PdfText {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export class Reference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** A keyword: a content operator, or `obj`, `endobj`, `R` and the like. */
export class Operator {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class PdfStream {
  readonly dictionary: PdfDictionary;
  /** Encoded bytes as in the file. */
  readonly raw: Uint8Array;
  constructor(dictionary: PdfDictionary, raw: Uint8Array) {
    this.dictionary = dictionary;
    this.raw = raw;
  }
}

export const isDictionary = (value: unknown): value is PdfDictionary => value instanceof Map;

/** Text of a name. Undefined for other values. */
export const nameOf = (value: PdfValue | undefined): string | undefined =>
  value instanceof Name ? value.text : undefined;

export const numbersIn = (value: PdfValue | undefined): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : [];

/** Decodes the first bytes of a text string: UTF-16 or UTF-8 by byte order mark, else Latin-1. ISO 32000-2, 7.9.2.2 */
export function textOf(value: PdfValue | undefined): string | undefined {
  if (value instanceof Name) return value.text;
  if (!(value instanceof PdfText)) return undefined;
  const bytes = value.bytes.subarray(0, TEXT_BYTES_MAX);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return new TextDecoder().decode(bytes.subarray(3));
  return Buffer.from(bytes).toString('latin1');
}
