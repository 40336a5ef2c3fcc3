import { DECODED_BYTES_MAX, OBJECTS_KEPT_MAX, STREAM_BYTES_MAX } from '../limits.ts';
import { COST, type WorkBudget } from '../work_budget.ts';
import { isGeneral, longName, unpack } from './filters.ts';
import { END, Lexer, latin1, PdfProblem } from './lexer.ts';
import {
  isDictionary,
  nameOf,
  Operator,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  Reference,
} from './values.ts';
import { endOfStream, type Places, readPlaces, startOfStream } from './xref.ts';

/** What came out of a stream. */
export interface Decoded {
  readonly data: Uint8Array;
  /** The filter of a picture the bytes are still packed with: DCTDecode, JPXDecode, JBIG2Decode, CCITTFaxDecode. */
  readonly codec?: string | undefined;
  readonly codecParameters?: PdfDictionary | undefined;
  readonly problem?: 'broken' | 'too_large' | 'unknown_filter' | undefined;
}

const REFERENCES_FOLLOWED_MAX = 32;

/** A PDF as its objects. Nothing in it is run, and nothing outside it is read. */
export class PdfDocument {
  readonly bytes: Uint8Array;
  /** What is spent by whatever is asked of this file; every method throws WorkSpent once nothing is left. */
  readonly work: WorkBudget;
  readonly places: Places;
  readonly trailer: PdfDictionary;
  readonly isEncrypted: boolean;
  readonly #kept = new Map<number, PdfValue>();
  readonly #streams = new Map<number, ObjectsInStream>();
  /** Numbers being read now: an object whose length stands in itself. */
  readonly #open = new Set<number>();
  #decodedLeft = DECODED_BYTES_MAX;

  /** @throws PdfProblem, WorkSpent */
  constructor(bytes: Uint8Array, work: WorkBudget) {
    this.bytes = bytes;
    this.work = work;
    this.places = readPlaces(bytes, work);
    this.trailer = this.places.trailer;
    this.isEncrypted = isDictionary(this.resolve(this.trailer.get('Encrypt')));
  }

  /** What a reference stands for; null for what is not there. */
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

  /** A dictionary, that of a stream included. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const found = this.resolve(value);
    if (found instanceof PdfStream) return found.dictionary;
    return isDictionary(found) ? found : undefined;
  }

  /** The members of an array; anything else is its only member, and null none. */
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
      return name === undefined ? [] : [longName(name)];
    });
  }

  /** The bytes of a stream up to the filter of a picture; nothing more once all streams of a file together pass their bound. */
  decode(stream: PdfStream, max = STREAM_BYTES_MAX): Decoded {
    const { dictionary } = stream;
    const parameters = this.list(dictionary.get('DecodeParms') ?? dictionary.get('DP')).map((one) =>
      this.#plain(this.dictionary(one)),
    );
    let data = stream.raw;
    let problem: Decoded['problem'];
    for (const [index, filter] of this.filters(dictionary).entries()) {
      if (filter === 'Crypt') continue;
      if (/^(DCT|JPX|JBIG2|CCITTFax)Decode$/.test(filter))
        return { data, codec: filter, codecParameters: parameters[index], problem };
      if (!isGeneral(filter) || index > 8) return { data: new Uint8Array(0), problem: 'unknown_filter' };
      const bound = Math.min(max, this.#decodedLeft);
      const unpacked = unpack(filter, data, { parameters: parameters[index], max: bound, work: this.work });
      data = unpacked.data;
      problem ??= unpacked.problem;
      this.#decodedLeft = Math.max(0, this.#decodedLeft - data.length);
    }
    return { data, problem };
  }

  /** Its values looked up, for the filters, which know no document. */
  #plain(dictionary: PdfDictionary | undefined): PdfDictionary | undefined {
    this.work.spend(COST.entry * (dictionary?.size ?? 0));
    return dictionary && new Map([...dictionary].map(([key, value]) => [key, this.resolve(value)]));
  }

  #object(number: number): PdfValue {
    const kept = this.#kept.get(number);
    if (kept !== undefined) return kept;
    if (this.#open.has(number)) return null;
    this.#open.add(number);
    try {
      const kind = this.places.kind[number] ?? 0;
      const where = this.places.where[number] ?? 0;
      const value =
        kind === 1 ? this.#objectAt(where, number) : kind === 2 ? this.#streamed(where, number) : null;
      if (this.#kept.size >= OBJECTS_KEPT_MAX) this.#kept.clear();
      this.#kept.set(number, value);
      return value;
    } finally {
      this.#open.delete(number);
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
      if (error instanceof PdfProblem) return null;
      throw error;
    }
  }

  /** As long as it says, where `endstream` follows; else up to where that comes. */
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
  #streamed(container: number, number: number): PdfValue {
    const { data, offsets } = this.#streams.get(container) ?? this.#unpackObjects(container);
    const offset = offsets.get(number);
    if (offset === undefined) return null;
    return this.#valueAt(new Lexer(data, this.work, offset));
  }

  #unpackObjects(container: number): ObjectsInStream {
    const stream = this.places.kind[container] === 1 ? this.#object(container) : null;
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
