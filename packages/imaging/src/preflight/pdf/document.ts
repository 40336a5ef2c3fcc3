import {
  DECODED_BYTES_MAX,
  OBJECTS_KEPT_MAX,
  PDF_OBJECTS_MAX,
  PDF_SECTIONS_MAX,
  STREAM_BYTES_MAX,
} from '../limits.ts';
import { COST, type WorkBudget } from '../work_budget.ts';
import { decodeFilter, fullFilterName, isSupportedFilter } from './filters.ts';
import { END, Lexer, latin1, PdfReadError } from './lexer.ts';
import {
  isDictionary,
  nameOf,
  numbersIn,
  Operator,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  Reference,
} from './values.ts';

/** Locations of the objects: at an offset in the file, or in an object stream. */
interface ObjectLocations {
  /** By number: 0 absent, 1 at offset `where`, 2 in object stream `where`. */
  readonly kind: Uint8Array;
  readonly where: Uint32Array;
  readonly trailer: PdfDictionary;
  /** Whether the file has cross-reference streams (PDF 1.5), which older standards forbid. */
  readonly hasXrefStreams: boolean;
  /** The cross-reference table was missing or wrong, and was rebuilt by scanning. */
  readonly wasRebuilt: boolean;
  /** Number of incremental updates. */
  readonly incrementalUpdates: number;
}

interface LocationsBuilder {
  kind: Uint8Array;
  where: Uint32Array;
  trailer: PdfDictionary | undefined;
  hasXrefStreams: boolean;
  incrementalUpdates: number;
}

/** @throws PdfReadError if there are too many objects or none; WorkBudgetExceeded */
function readLocations(bytes: Uint8Array, work: WorkBudget): ObjectLocations {
  try {
    const found = followSections(bytes, work);
    if (found) return { ...found, wasRebuilt: false };
  } catch (error) {
    if (!(error instanceof PdfReadError) || error instanceof TooManyObjects) throw error;
  }
  return rebuildLocations(bytes, work);
}

class TooManyObjects extends PdfReadError {}

/** Follows the cross-reference sections from the last to the first. Later sections take precedence. */
function followSections(
  bytes: Uint8Array,
  work: WorkBudget,
): Omit<ObjectLocations, 'wasRebuilt'> | undefined {
  const tail = latin1(bytes.subarray(Math.max(0, bytes.length - 2048)));
  const [, start] = /startxref\s+(\d{1,10})(?![\s\S]*startxref)/.exec(tail) ?? [];
  if (start === undefined) return undefined;
  const builder = createBuilder();
  const waiting = [Number(start)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at) || at >= bytes.length) continue;
    seen.add(at);
    if (seen.size > PDF_SECTIONS_MAX)
      throw new PdfReadError(`it has more than ${PDF_SECTIONS_MAX} incremental updates`);
    const dictionary = readSection(bytes, { work, at }, builder);
    if (!dictionary) return undefined;
    builder.trailer ??= dictionary;
    for (const key of ['Prev', 'XRefStm']) {
      const value = dictionary.get(key);
      if (typeof value === 'number') waiting.push(value);
    }
    if (typeof dictionary.get('Prev') === 'number') builder.incrementalUpdates += 1;
  }
  const { trailer } = builder;
  return trailer?.has('Root') ? { ...builder, trailer } : undefined;
}

const createBuilder = (): LocationsBuilder => ({
  kind: new Uint8Array(1024),
  where: new Uint32Array(1024),
  trailer: undefined,
  hasXrefStreams: false,
  incrementalUpdates: 0,
});

/** Adds an entry, unless a newer section already has one. */
function addEntry(builder: LocationsBuilder, number: number, [kind, where]: readonly [number, number]): void {
  if (number >= PDF_OBJECTS_MAX) throw new TooManyObjects(`it declares more than ${PDF_OBJECTS_MAX} objects`);
  if (number >= builder.kind.length) {
    const size = Math.min(PDF_OBJECTS_MAX, Math.max(number + 1, 2 * builder.kind.length));
    const [kinds, wheres] = [new Uint8Array(size), new Uint32Array(size)];
    kinds.set(builder.kind);
    wheres.set(builder.where);
    [builder.kind, builder.where] = [kinds, wheres];
  }
  if (builder.kind[number] !== 0) return;
  builder.kind[number] = kind;
  builder.where[number] = where;
}

/** Free entry: hides entries of older sections. */
const FREE = 3;

/** Read position, and the work budget charged. */
interface ReadPosition {
  readonly work: WorkBudget;
  readonly at: number;
}

function readSection(
  bytes: Uint8Array,
  { work, at }: ReadPosition,
  builder: LocationsBuilder,
): PdfDictionary | undefined {
  const lexer = new Lexer(bytes, work, at);
  const first = lexer.value();
  if (first instanceof Operator && first.text === 'xref') return readTable(lexer, builder);
  if (typeof first !== 'number') return undefined;
  return readXrefStream(bytes, { work, at }, builder);
}

/** Reads a cross-reference table: rows of an offset, a generation and `n` or `f`. ISO 32000-1, 7.5.4 */
function readTable(lexer: Lexer, builder: LocationsBuilder): PdfDictionary | undefined {
  for (;;) {
    const start = lexer.value();
    if (start instanceof Operator && start.text === 'trailer') {
      const dictionary = lexer.value();
      return isDictionary(dictionary) ? dictionary : undefined;
    }
    const count = lexer.value();
    if (!isCount(start) || !isCount(count)) return undefined;
    for (let index = 0; index < count; index += 1) {
      const [offset, , used] = [lexer.value(), lexer.value(), lexer.value()];
      if (typeof offset !== 'number' || !(used instanceof Operator)) return undefined;
      const isUsed = used.text === 'n' && offset > 0 && offset < lexer.bytes.length;
      addEntry(builder, start + index, isUsed ? [1, offset] : [FREE, 0]);
    }
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** Reads a cross-reference stream. ISO 32000-1, 7.5.8 */
function readXrefStream(
  bytes: Uint8Array,
  start: ReadPosition,
  builder: LocationsBuilder,
): PdfDictionary | undefined {
  const stream = streamAt(bytes, start);
  if (!stream || nameOf(stream.dictionary.get('Type')) !== 'XRef') return undefined;
  const { dictionary } = stream;
  const data = decodeDirect(stream, start.work);
  const widths = numbersIn(dictionary.get('W'));
  if (!data || widths.length < 3 || !widths.every((width) => isCount(width) && width <= 8)) return undefined;
  const [kindBytes, whereBytes, lastBytes] = widths as [number, number, number];
  const rowBytes = kindBytes + whereBytes + lastBytes;
  if (rowBytes === 0) return undefined;
  builder.hasXrefStreams = true;
  const size = dictionary.get('Size');
  const index = dictionary.has('Index') ? numbersIn(dictionary.get('Index')) : [0, Number(size) || 0];
  let row = 0;
  for (let pair = 0; pair + 1 < index.length; pair += 2)
    for (let one = 0; one < index[pair + 1]! && (row + 1) * rowBytes <= data.length; one += 1, row += 1) {
      start.work.spend(COST.row);
      const from = row * rowBytes;
      const kind = kindBytes === 0 ? 1 : bigEndian(data, from, kindBytes);
      const where = bigEndian(data, from + kindBytes, whereBytes);
      const isThere = kind === 2 || (kind === 1 && where < bytes.length);
      addEntry(builder, index[pair]! + one, isThere ? [kind, where] : [FREE, 0]);
    }
  return dictionary;
}

function bigEndian(data: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index += 1) value = value * 256 + data[at + index]!;
  return value;
}

/** Reads a stream with a direct Length: cross-reference streams must be readable before objects can be located. */
function streamAt(bytes: Uint8Array, { work, at }: ReadPosition) {
  const lexer = new Lexer(bytes, work, at);
  for (let skipped = 0; skipped < 3; skipped += 1) lexer.value();
  const dictionary = lexer.value();
  if (!isDictionary(dictionary)) return undefined;
  lexer.skipWhite();
  if (latin1(bytes.subarray(lexer.at, lexer.at + 6)) !== 'stream') return undefined;
  const start = startOfStream(bytes, lexer.at);
  const length = dictionary.get('Length');
  const end = isCount(length) ? start + length : endOfStream(bytes, start);
  work.spend(COST.byteSearched * Math.min(bytes.length, end - start));
  return { dictionary, raw: bytes.subarray(start, end) };
}

/** Position after the keyword `stream` and its end-of-line marker. */
function startOfStream(bytes: Uint8Array, word: number): number {
  const at = word + 6;
  if (bytes[at] === 0x0d) return bytes[at + 1] === 0x0a ? at + 2 : at + 1;
  return bytes[at] === 0x0a ? at + 1 : at;
}

/** Position of the next `endstream`, or the end of the file. */
function endOfStream(bytes: Uint8Array, start: number): number {
  const end = bufferOf(bytes).indexOf('endstream', start, 'latin1');
  return end < 0 ? bytes.length : end;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function decodeDirect({ dictionary, raw }: { dictionary: PdfDictionary; raw: Uint8Array }, work: WorkBudget) {
  const filter = nameOf([dictionary.get('Filter')].flat()[0]);
  if (filter === undefined) return raw;
  if (!isSupportedFilter(filter)) return undefined;
  const [parameters] = [dictionary.get('DecodeParms')].flat();
  const known = isDictionary(parameters) ? parameters : undefined;
  return decodeFilter(filter, raw, { parameters: known, max: STREAM_BYTES_MAX, work }).data;
}

/**
 * Rebuilds the locations by scanning for `12 0 obj`; the later of two objects with one number wins. The trailer is the
 * last one with a Root, or the dictionary of a cross-reference stream.
 */
function rebuildLocations(bytes: Uint8Array, work: WorkBudget): ObjectLocations {
  const buffer = bufferOf(bytes);
  const builder = createBuilder();
  let found = 0;
  for (let at = buffer.indexOf('obj', 0, 'latin1'); at >= 0; at = buffer.indexOf('obj', at + 3, 'latin1')) {
    work.spend(COST.search);
    const head = /(?:^|[^\d])(\d{1,7})\s+\d{1,5}\s+$/.exec(latin1(bytes.subarray(Math.max(0, at - 24), at)));
    if (!head) continue;
    const number = Number(head[1]);
    if (number < PDF_OBJECTS_MAX && builder.kind[number]) builder.kind[number] = 0;
    const back = head[0].length - head[0].search(/\d/);
    addEntry(builder, number, [1, at - back]);
    found += 1;
  }
  if (found === 0) throw new PdfReadError('it has no objects');
  const trailer = lastTrailer(buffer, work) ?? trailerOfObjects(bytes, builder, work);
  return { ...builder, trailer, wasRebuilt: true };
}

function lastTrailer(buffer: Buffer, work: WorkBudget): PdfDictionary | undefined {
  let tries = 0;
  for (
    let at = buffer.lastIndexOf('trailer', undefined, 'latin1');
    at >= 0 && tries < 20;
    at = at === 0 ? -1 : buffer.lastIndexOf('trailer', at - 1, 'latin1'), tries += 1
  ) {
    const dictionary = new Lexer(buffer, work, at + 7).value();
    if (isDictionary(dictionary) && dictionary.has('Root')) return dictionary;
  }
  return undefined;
}

/** Also reads object streams, whose objects have no offset in the file. */
function trailerOfObjects(bytes: Uint8Array, builder: LocationsBuilder, work: WorkBudget): PdfDictionary {
  const trailer: PdfDictionary = new Map();
  for (let number = 0; number < builder.kind.length; number += 1) {
    if (builder.kind[number] !== 1) continue;
    const lexer = new Lexer(bytes, work, builder.where[number]!);
    for (let skipped = 0; skipped < 3; skipped += 1) lexer.value();
    lexer.skipWhite();
    if (bytes[lexer.at] !== 0x3c || bytes[lexer.at + 1] !== 0x3c) continue;
    const dictionary = lexer.value();
    if (!isDictionary(dictionary)) continue;
    const type = nameOf(dictionary.get('Type'));
    if (type === 'XRef')
      for (const [key, value] of dictionary)
        if (/^(Root|Info|ID|Encrypt)$/.test(key)) trailer.set(key, value);
    if (type === 'ObjStm') addCompressedObjects(bytes, builder, { work, number });
  }
  if (!trailer.has('Root')) throw new PdfReadError('it has no document catalogue');
  return trailer;
}

function addCompressedObjects(
  bytes: Uint8Array,
  builder: LocationsBuilder,
  { work, number }: { readonly work: WorkBudget; readonly number: number },
): void {
  const stream = streamAt(bytes, { work, at: builder.where[number]! });
  const data = stream && decodeDirect(stream, work);
  const count = stream?.dictionary.get('N');
  if (!data || !isCount(count)) return;
  const lexer = new Lexer(data, work);
  for (let index = 0; index < count; index += 1) {
    const [inside, offset] = [lexer.value(), lexer.value()];
    if (typeof offset !== 'number' || !isCount(inside)) return;
    addEntry(builder, inside, [2, number]);
  }
}

/** A decoded stream. */
export interface Decoded {
  readonly data: Uint8Array;
  /** Image filter that still encodes the data: DCTDecode, JPXDecode, JBIG2Decode, CCITTFaxDecode. */
  readonly codec?: string | undefined;
  readonly codecParameters?: PdfDictionary | undefined;
  readonly problem?: 'broken' | 'too_large' | 'unknown_filter' | undefined;
}

const REFERENCES_FOLLOWED_MAX = 32;

/** The objects of a PDF. Nothing in it is executed, and nothing outside it is read. */
export class PdfDocument {
  readonly bytes: Uint8Array;
  /** Work budget of this file. Every method throws WorkBudgetExceeded once it is exhausted. */
  readonly work: WorkBudget;
  readonly locations: ObjectLocations;
  readonly trailer: PdfDictionary;
  readonly isEncrypted: boolean;
  readonly #cache = new Map<number, PdfValue>();
  readonly #streams = new Map<number, ObjectsInStream>();
  /** Objects being read: guards against an object whose Length refers to itself. */
  readonly #reading = new Set<number>();
  #decodedLeft = DECODED_BYTES_MAX;

  /** @throws PdfReadError, WorkBudgetExceeded */
  constructor(bytes: Uint8Array, work: WorkBudget) {
    this.bytes = bytes;
    this.work = work;
    this.locations = readLocations(bytes, work);
    this.trailer = this.locations.trailer;
    this.isEncrypted = isDictionary(this.resolve(this.trailer.get('Encrypt')));
  }

  /** Resolves a reference. Null if the object is missing. */
  resolve(value: PdfValue | undefined): PdfValue {
    let found: PdfValue = value ?? null;
    for (let steps = 0; found instanceof Reference; steps += 1) {
      if (steps === REFERENCES_FOLLOWED_MAX) return null;
      found = this.#object(found.number);
    }
    return found;
  }

  get(dictionary: PdfDictionary | undefined, key: string): PdfValue {
    return this.resolve(dictionary?.get(key));
  }

  /** Returns a dictionary, or the dictionary of a stream. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const found = this.resolve(value);
    if (found instanceof PdfStream) return found.dictionary;
    return isDictionary(found) ? found : undefined;
  }

  /** Returns the members of an array. Any other value is a list of one; null is empty. */
  list(value: PdfValue | undefined): PdfValue[] {
    const found = this.resolve(value);
    if (found === null) return [];
    if (!Array.isArray(found)) return [found];
    this.work.spend(COST.member * found.length);
    return found;
  }

  numbers(value: PdfValue | undefined): number[] {
    return this.list(value)
      .map((one) => this.resolve(one))
      .filter((one): one is number => typeof one === 'number');
  }

  filters(stream: PdfDictionary): string[] {
    return this.list(stream.get('Filter') ?? stream.get('F')).flatMap((one) => {
      const name = nameOf(this.resolve(one));
      return name === undefined ? [] : [fullFilterName(name)];
    });
  }

  /** Decodes a stream up to an image filter. Returns no data once all streams of the file exceed their limit. */
  decode(stream: PdfStream, max = STREAM_BYTES_MAX): Decoded {
    const { dictionary } = stream;
    const parameters = this.list(dictionary.get('DecodeParms') ?? dictionary.get('DP')).map((one) =>
      this.#resolveEntries(this.dictionary(one)),
    );
    let data = stream.raw;
    let problem: Decoded['problem'];
    for (const [index, filter] of this.filters(dictionary).entries()) {
      if (filter === 'Crypt') continue;
      if (/^(DCT|JPX|JBIG2|CCITTFax)Decode$/.test(filter))
        return { data, codec: filter, codecParameters: parameters[index], problem };
      if (!isSupportedFilter(filter) || index > 8)
        return { data: new Uint8Array(0), problem: 'unknown_filter' };
      const bound = Math.min(max, this.#decodedLeft);
      const unpacked = decodeFilter(filter, data, {
        parameters: parameters[index],
        max: bound,
        work: this.work,
      });
      data = unpacked.data;
      problem ??= unpacked.problem;
      this.#decodedLeft = Math.max(0, this.#decodedLeft - data.length);
    }
    return { data, problem };
  }

  /** Resolves the values of a dictionary for the filters. */
  #resolveEntries(dictionary: PdfDictionary | undefined): PdfDictionary | undefined {
    this.work.spend(COST.entry * (dictionary?.size ?? 0));
    return dictionary && new Map([...dictionary].map(([key, value]) => [key, this.resolve(value)]));
  }

  #object(number: number): PdfValue {
    const kept = this.#cache.get(number);
    if (kept !== undefined) return kept;
    if (this.#reading.has(number)) return null;
    this.#reading.add(number);
    try {
      const kind = this.locations.kind[number] ?? 0;
      const where = this.locations.where[number] ?? 0;
      const value =
        kind === 1
          ? this.#objectAt(where, number)
          : kind === 2
            ? this.#compressedObject(where, number)
            : null;
      if (this.#cache.size >= OBJECTS_KEPT_MAX) this.#cache.clear();
      this.#cache.set(number, value);
      return value;
    } finally {
      this.#reading.delete(number);
    }
  }

  #objectAt(at: number, number: number): PdfValue {
    const lexer = new Lexer(this.bytes, this.work, at);
    const [named, , word] = [lexer.value(), lexer.value(), lexer.value()];
    if (named !== number || !(word instanceof Operator) || word.text !== 'obj') return null;
    const value = this.#valueAt(lexer);
    if (!isDictionary(value)) return value;
    lexer.skipWhite();
    if (latin1(this.bytes.subarray(lexer.at, lexer.at + 6)) !== 'stream') return value;
    return new PdfStream(value, this.#rawOf(value, startOfStream(this.bytes, lexer.at)));
  }

  #valueAt(lexer: Lexer): PdfValue {
    try {
      const value = lexer.valueOrReference();
      return value === END || value instanceof Operator ? null : value;
    } catch (error) {
      if (error instanceof PdfReadError) return null;
      throw error;
    }
  }

  /** Uses the stated Length if `endstream` follows, otherwise searches for `endstream`. */
  #rawOf(dictionary: PdfDictionary, start: number): Uint8Array {
    const length = this.get(dictionary, 'Length');
    if (typeof length === 'number' && length >= 0 && start + length <= this.bytes.length) {
      const after = latin1(this.bytes.subarray(start + length, start + length + 16));
      if (/^\s*endstream/.test(after)) return this.bytes.subarray(start, start + length);
    }
    const end = endOfStream(this.bytes, start);
    this.work.spend(COST.byteSearched * (end - start));
    return this.bytes.subarray(start, end);
  }

  /** ISO 32000-1, 7.5.7 */
  #compressedObject(container: number, number: number): PdfValue {
    const { data, offsets } = this.#streams.get(container) ?? this.#openObjectStream(container);
    const offset = offsets.get(number);
    if (offset === undefined) return null;
    return this.#valueAt(new Lexer(data, this.work, offset));
  }

  #openObjectStream(container: number): ObjectsInStream {
    const stream = this.locations.kind[container] === 1 ? this.#object(container) : null;
    const offsets = new Map<number, number>();
    let data = new Uint8Array(0);
    if (stream instanceof PdfStream && !this.isEncrypted) {
      data = this.decode(stream).data as Uint8Array<ArrayBuffer>;
      const first = Number(this.get(stream.dictionary, 'First')) || 0;
      const count = Number(this.get(stream.dictionary, 'N')) || 0;
      const head = new Lexer(data.subarray(0, first), this.work);
      for (let index = 0; index < count; index += 1) {
        const [inside, offset] = [head.value(), head.value()];
        if (typeof inside !== 'number' || typeof offset !== 'number') break;
        offsets.set(inside, first + offset);
      }
    }
    const objects = { data, offsets };
    if (this.#streams.size >= 64) this.#streams.clear();
    this.#streams.set(container, objects);
    return objects;
  }
}

interface ObjectsInStream {
  readonly data: Uint8Array;
  readonly offsets: ReadonlyMap<number, number>;
}
