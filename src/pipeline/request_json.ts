import { isAscii } from 'node:buffer';
import { JSON_DEPTH_MAX } from '@atelier/imaging/provenance/soulmark/limits.ts';
import type { z } from 'zod';
import { AtelierError, invalidField } from '../core/errors/atelier_error.ts';
import { requireBoundedJson } from '../core/json/parse_bounded_json.ts';
import { mayHoldZeros } from '../features/definitions/fields.ts';

/** Placeholder of a long string; unguessable for clients. */
const MARK = `long:${crypto.randomUUID()}:`;

/**
 * `JSON.parse` of a request body in UTF-8, within JSON_LIMITS and several times faster where a base64 image makes up most of it: long
 * strings without escapes are cut out, the rest is parsed, and they are put back.
 * A raw line break in such a string, which JSON forbids, is accepted: it is the commonest defect of base64 in requests.
 * Under the names in `asBytes`, in the outermost object only, a long string in ASCII is a LongText.
 * @param onRelease called when a LongText is released
 * @throws SyntaxError as JSON.parse does; AtelierError payload_too_large
 */
export function parseJson(
  bytes: Buffer,
  asBytes: readonly string[] = [],
  onRelease: () => void = () => {},
): unknown {
  const long = requireBoundedJson(bytes);
  if (long.length === 0) return JSON.parse(textOf(bytes));
  const pieces: string[] = [];
  let end = 0;
  for (const [index, { from, to }] of long.entries()) {
    pieces.push(textOf(bytes.subarray(end, from)), MARK, String(index));
    end = to;
  }
  pieces.push(textOf(bytes.subarray(end)));
  const kept: [Record<string, unknown>, string][] = [];
  const root = JSON.parse(pieces.join(''), function (this: Record<string, unknown>, key, value) {
    if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
    const { from, to } = long[Number(value.slice(MARK.length))]!;
    const text = bytes.subarray(from, to);
    if (!asBytes.includes(key) || !isAscii(text)) return textOf(text);
    kept.push([this, key]);
    return new LongText(text, onRelease);
  });
  // Which object is the outermost is known only at the end.
  for (const [holder, name] of kept) if (holder !== root) holder[name] = String(holder[name]);
  return root;
}

/**
 * `parseJson` for a body that owns its buffer and is not used afterwards. Its memory is released at once, or with the last LongText:
 * many bodies arrive faster than garbage is collected.
 */
export function parseBody(bytes: Buffer, asBytes: readonly string[] = []): unknown {
  let inUse = 1;
  const release = () => {
    inUse -= 1;
    if (inUse === 0) recycleBuffer(bytes);
  };
  try {
    const value = parseJson(bytes, asBytes, release);
    if (typeof value === 'object' && value !== null)
      inUse += Object.values(value).filter((member) => member instanceof LongText).length;
    return value;
  } finally {
    release();
  }
}

/** Decoding ASCII as Latin-1 is a copy; as UTF-8 it is ten times slower. */
const textOf = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');

/**
 * Text of an image field that is still the ASCII bytes it came as: an image in base64 is decoded from them, and never
 * becomes a string of a million characters, which costs more than decoding it. Wherever it is treated as text, it is one.
 */
export class LongText {
  #ascii: Buffer;
  readonly #onRelease: () => void;

  /** @param onRelease called at most once, when the bytes are no longer needed */
  constructor(ascii: Buffer, onRelease: () => void = () => {}) {
    this.#ascii = ascii;
    this.#onRelease = onRelease;
  }

  get ascii(): Buffer {
    return this.#ascii;
  }

  /** Releases the bytes; the text is empty from then on. */
  release(): void {
    if (this.#ascii.length === 0) return;
    this.#ascii = Buffer.alloc(0);
    this.#onRelease();
  }

  /** Its first characters after white space. */
  beginning(length: number): string {
    const at = this.#ascii.findIndex((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
    return at < 0 ? '' : this.#ascii.toString('latin1', at, at + length);
  }

  toString(): string {
    return this.#ascii.toString('latin1');
  }

  toJSON(): string {
    return this.toString();
  }
}

const SEARCHED_CHARACTERS_MAX = 100_000;
export const FIELD_CHARACTERS_SHOWN_MAX = 60;

/**
 * Refuses nesting that would exhaust the stack of recursive code, and text that PostgreSQL cannot store: the
 * zero character, and unpaired surrogates, which would be stored as other characters.
 */
export function refuseUnstorable(root: object, { shape }: z.ZodObject): void {
  refuseCharacters(Object.keys(root), '');
  for (const [name, value] of Object.entries(root)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    refuseWithin(name, value, { zerosToo: !field || !mayHoldZeros(field) });
  }
}

/** Breadth first, because recursion would exhaust the stack itself. */
function refuseWithin(field: string, value: unknown, { zerosToo }: { zerosToo: boolean }): void {
  let level = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH_MAX) {
      throw refusedField(field, `is nested more than ${JSON_DEPTH_MAX} levels deep. Send a flatter object.`);
    }
    refuseCharacters(level, field, zerosToo);
    level = membersOf(level);
  }
}

/** Names and values of the next level. Loops, because spreading and `flatMap` took 4 ms for 20,000 values. */
function membersOf(nodes: readonly unknown[]): unknown[] {
  const members: unknown[] = [];
  for (const node of nodes) {
    if (Array.isArray(node)) for (const member of node) members.push(member);
    else if (typeof node === 'object' && node !== null)
      for (const [name, member] of Object.entries(node)) members.push(name, member);
  }
  return members;
}

function refuseCharacters(nodes: readonly unknown[], field: string, zerosToo = true): void {
  if (zerosToo && nodes.some(hasNul)) {
    throw refusedField(field, 'contains a null character (U+0000). Remove it.');
  }
  if (nodes.some(isIllFormed)) {
    throw refusedField(
      field,
      'contains an unpaired surrogate (U+D800 to U+DFFF), which is not a character. Remove it.',
    );
  }
}

/** @param name of the field; empty where the name itself is the problem */
function refusedField(name: string, problem: string): AtelierError {
  const field = name.slice(0, FIELD_CHARACTERS_SHOWN_MAX);
  return invalidField(field, `${field || 'The name of a field'} ${problem}`);
}

const hasNul = (node: unknown): boolean =>
  typeof node === 'string' && node.length <= SEARCHED_CHARACTERS_MAX && node.includes('\u0000');

const isIllFormed = (node: unknown): boolean =>
  typeof node === 'string' && node.length <= SEARCHED_CHARACTERS_MAX && !node.isWellFormed();

export function isStorable(root: object, schema: z.ZodObject): boolean {
  try {
    refuseUnstorable(root, schema);
    return true;
  } catch (error) {
    if (error instanceof AtelierError) return false;
    throw error;
  }
}

const MIB = 1024 * 1024;
/** Smaller buffers do not cause a separate memory mapping. */
const RECYCLED_BYTES_MIN = 128 * 1024;
/** Total size of the pool. */
const KEPT_BYTES_MAX = 4 * MIB;

const kept: ArrayBuffer[] = [];

/**
 * Returns an uninitialised buffer, from the pool if available: mapping 1 MB takes 0.4 ms, longer than reading JSON of that length.
 * @param length bytes
 */
export function acquireBuffer(length: number): Buffer {
  if (length < RECYCLED_BYTES_MIN || length > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(length);
  const at = kept.findIndex(({ byteLength }) => byteLength >= length);
  const [memory] = at < 0 ? [] : kept.splice(at, 1);
  // Whole MiB, so that buffers can be reused for similar lengths; untouched pages take no memory.
  return Buffer.from(memory ?? Buffer.allocUnsafeSlow(Math.ceil(length / MIB) * MIB).buffer, 0, length);
}

/** Returns the memory of a buffer to the pool. Its views are detached, so that none shows later contents. */
export function recycleBuffer({ buffer }: Uint8Array): void {
  const memory = (buffer as ArrayBuffer).transfer();
  const keptBytes = kept.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (
    memory.byteLength % MIB === 0 &&
    memory.byteLength > 0 &&
    keptBytes + memory.byteLength <= KEPT_BYTES_MAX
  )
    kept.push(memory);
  else memory.transfer(0);
}
