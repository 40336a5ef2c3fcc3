import { TimeStampRefusal } from './refusal.ts';

export interface DerElement {
  /** The identifier octet, for example 0x30 for a SEQUENCE. */
  readonly tag: number;
  /** The whole element, with identifier and length. */
  readonly bytes: Buffer;
  readonly content: Buffer;
}

/**
 * Splits consecutive DER elements (ITU-T X.690) into slices of the input: hashes and signatures need the original bytes, which a parsed and
 * re-encoded structure may not preserve.
 * @throws TimeStampRefusal for an indefinite length, a tag of several octets, or an element longer than the bytes
 */
export function derElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { head, length } = headAt(bytes, at);
    const end = at + head + length;
    if (end > bytes.length) throw malformed();
    elements.push({
      tag: bytes[at]!,
      bytes: bytes.subarray(at, end),
      content: bytes.subarray(at + head, end),
    });
    at = end;
  }
  return elements;
}

/** The elements inside the only element of `bytes`, which must have the given tag. @throws TimeStampRefusal */
export function derInside(bytes: Buffer, tag: number): DerElement[] {
  const [outer, ...more] = derElements(bytes);
  if (outer?.tag !== tag || more.length > 0) throw malformed();
  return derElements(outer.content);
}

export const malformed = (cause?: unknown): TimeStampRefusal =>
  new TimeStampRefusal('The time stamp is damaged: it is not a token of RFC 3161.', { cause });

/** Supports lengths of up to 3 octets: tokens have less than 16 MB. */
function headAt(bytes: Buffer, at: number): { head: number; length: number } {
  const first = bytes[at + 1];
  if (first === undefined || (bytes[at]! & 0x1f) === 0x1f) throw malformed();
  if (first < 0x80) return { head: 2, length: first };
  const size = first & 0x7f;
  if (size === 0 || size > 3 || at + 2 + size > bytes.length) throw malformed();
  return { head: 2 + size, length: bytes.readUIntBE(at + 2, size) };
}
