import type { Queryable } from '../../../core/database/types.ts';
import { placePointsOf } from '../places/places_in_words.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { type FieldWords, type Language, staticRankOf, wordsOfRecord } from './fields.ts';
import { longSideOf, sidesOf, traitsOf } from './traits.ts';

/** Posting list of a word in a segment: works and impacts. */
export interface Postings {
  /** Places of the works in the segment, ascending. */
  readonly places: Uint32Array;
  /** From 1 to 255. */
  readonly impacts: Uint8Array;
}

/** A posting list as stored. */
export interface StoredPostings {
  readonly works: number;
  /** Places, delta-encoded in LEB128, followed by the impacts. */
  readonly postings: Uint8Array;
}

export const NO_POSTINGS: StoredPostings = { works: 0, postings: new Uint8Array(0) };

/** Writes a number as LEB128; returns the position after it. */
function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let left = value;
  let next = at;
  while (left >= 128) {
    bytes[next++] = (left & 127) | 128;
    left >>>= 7;
  }
  bytes[next++] = left;
  return next;
}

export function decodePostings({ works, postings }: StoredPostings): Postings {
  const places = new Uint32Array(works);
  let place = 0;
  let at = 0;
  for (let work = 0; work < works; work += 1) {
    let byte = postings[at++]!;
    let distance = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = postings[at++]!;
      distance |= (byte & 127) << shift;
    }
    place += distance;
    places[work] = place;
  }
  return { places, impacts: postings.subarray(at, at + works) };
}

/** Reads the positions of a word, work by work, in the order of its postings. */
export function positionsReader(positions: Uint8Array) {
  let at = 0;
  const read = () => {
    let byte = positions[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = positions[at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  };
  return {
    next(): number[] {
      const found: number[] = [];
      let position = 0;
      for (let left = read(); left > 0; left -= 1) {
        position += read();
        found.push(position);
      }
      return found;
    },
    skip(): void {
      // The last byte of a number is below 128.
      for (let left = read(); left > 0; left -= 1) while (positions[at++]! >= 128);
    },
  };
}

const KEPT_MAX = 200_000;

/** The stem of a word, or the word itself. */
export type Stemmer = (word: string) => string;

/** Stems from PostgreSQL's dictionaries, cached. */
export function createStems(database: Queryable) {
  const kept = new Map<Language, Map<string, string>>();
  return {
    /** A stemmer for these words. */
    async of(language: Language, words: Iterable<string>): Promise<Stemmer> {
      const known = kept.get(language);
      const stems = known && known.size <= KEPT_MAX ? known : new Map<string, string>();
      kept.set(language, stems);
      const missing = new Set<string>();
      for (const word of words) if (!stems.has(word)) missing.add(word);
      if (missing.size > 0) {
        const rows = await database.query<{ word: string; stem: string | null }>(
          `select word, (ts_lexize('${language}_stem', word))[1] as stem from unnest($1::text[]) as word`,
          [[...missing]],
        );
        // The dictionaries drop stop words such as "the", which are indexed like any other word.
        for (const { word, stem } of rows) stems.set(word, stem ?? word);
      }
      return (word) => stems.get(word) ?? word;
    },
  };
}

export type Stems = ReturnType<typeof createStems>;

/** Increase it whenever the same works would give a different index. */
export const INDEX_VERSION = 5;
/** Prefix of words of makers' names, whose document frequency alone is stored. */
export const NAME_MARK = '@';
/** Prefix of words of the medium or type of object, which match only there. */
export const MEDIUM_MARK = '=';
export const NO_YEAR = -32_768;

/** Saturation: this weight gives half of the maximum impact (Robertson and Zaragoza 2009, BM25F). */
const HALF_WEIGHT = 2.5;
/** Degree of length normalisation. */
const LENGTH_SHARE = 0.6;
/** Position gap between two parts of a record, so that no phrase spans both. */
const GAP = 8;

export interface Word {
  readonly word: string;
  readonly works: number;
  readonly postings: Uint8Array;
  readonly positions: Uint8Array;
}

export interface Columns {
  readonly numbers: Uint32Array;
  readonly yearsFrom: Int16Array;
  readonly yearsTo: Int16Array;
  readonly standing: Uint8Array;
  /** Packed filter values (traits.ts). */
  readonly traits: Uint32Array;
  /** Long side of the image in px; 0: unknown. */
  readonly longSides: Uint16Array;
  /** Size of the work in millimetres; 0: unknown. */
  readonly heights: Uint16Array;
  readonly widths: Uint16Array;
  /**
   * Points of works, three numbers each: place, latitude and longitude in hundredths of a degree. Sorted by
   * place.
   */
  readonly points: Int32Array;
}

const emptyColumns = (works: number) => ({
  numbers: new Uint32Array(works),
  yearsFrom: new Int16Array(works),
  yearsTo: new Int16Array(works),
  standing: new Uint8Array(works),
  traits: new Uint32Array(works),
  longSides: new Uint16Array(works),
  heights: new Uint16Array(works),
  widths: new Uint16Array(works),
});

/** Collects the works of a segment, at most `worksMax`, and inverts them. */
export function createSegmentBuilder(worksMax: number) {
  const words = new Map<string, number>();
  const columns = emptyColumns(worksMax);
  /** Columns of the entries, work after work. */
  const found = {
    words: createColumn(Uint32Array),
    places: createColumn(Uint32Array),
    impacts: createColumn(Uint8Array),
    ends: createColumn(Uint32Array),
    positions: createColumn(Uint8Array),
  };
  const points = createColumn(Int32Array);
  let works = 0;

  return {
    get works() {
      return works;
    },
    add(number: number, record: ArtworkRecord, stem: Stemmer, fields = wordsOfRecord(record)): void {
      fillColumns(columns, works, { number, record });
      for (const number of pointsIn(record, works)) points.push(number);
      for (const [word, { weight, positions }] of entriesOf(fields, stem)) {
        const known = words.get(word) ?? words.size;
        words.set(word, known);
        found.words.push(known);
        found.places.push(works);
        found.impacts.push(impactOf(weight));
        found.positions.reserve(5 * (positions.length + 1));
        found.positions.length = writePositions(found.positions.values, found.positions.length, positions);
        found.ends.push(found.positions.length);
      }
      works += 1;
    },
    columns: (): Columns => ({
      numbers: columns.numbers.subarray(0, works),
      yearsFrom: columns.yearsFrom.subarray(0, works),
      yearsTo: columns.yearsTo.subarray(0, works),
      standing: columns.standing.subarray(0, works),
      traits: columns.traits.subarray(0, works),
      longSides: columns.longSides.subarray(0, works),
      heights: columns.heights.subarray(0, works),
      widths: columns.widths.subarray(0, works),
      points: points.values.subarray(0, points.length),
    }),
    /** Every word once, sorted, so that the database appends to its index. */
    *words(): Generator<Word> {
      const { order, starts } = sortByWord(found.words.values.subarray(0, found.words.length), words.size);
      for (const [word, number] of [...words].sort(([one], [other]) => (one < other ? -1 : 1))) {
        yield encode(found, word, order.subarray(starts[number]!, starts[number + 1]!));
      }
    },
  };
}

/** Points of a record, as stored in the column. */
const pointsIn = (record: ArtworkRecord, place: number): number[] =>
  placePointsOf(record).flatMap(({ latitude, longitude }) => [
    place,
    Math.round(100 * latitude),
    Math.round(100 * longitude),
  ]);

function fillColumns(
  columns: Omit<Columns, 'points'>,
  place: number,
  { number, record }: { readonly number: number; readonly record: ArtworkRecord },
): void {
  columns.numbers[place] = number;
  columns.yearsFrom[place] = record.year_from ?? NO_YEAR;
  columns.yearsTo[place] = record.year_to ?? NO_YEAR;
  columns.standing[place] = Math.round(255 * staticRankOf(record));
  columns.traits[place] = traitsOf(record);
  columns.longSides[place] = longSideOf(record);
  [columns.heights[place], columns.widths[place]] = sidesOf(record);
}

/** Entries: one per word of each work. */
interface Found {
  readonly places: { readonly values: Uint32Array };
  readonly impacts: { readonly values: Uint8Array };
  /** End of the positions of each entry. */
  readonly ends: { readonly values: Uint32Array };
  readonly positions: { readonly values: Uint8Array };
}

function encode(found: Found, word: string, entries: Uint32Array): Word {
  if (word.startsWith(NAME_MARK)) {
    return { word, works: entries.length, postings: new Uint8Array(0), positions: new Uint8Array(0) };
  }
  const ends = found.ends.values;
  const bytes = found.positions.values;
  let size = 0;
  for (const entry of entries) size += ends[entry]! - (entry === 0 ? 0 : ends[entry - 1]!);
  const postings = new Uint8Array(entries.length * 6);
  const positions = new Uint8Array(size);
  let [at, positionsAt, before] = [0, 0, 0];
  for (const entry of entries) {
    const place = found.places.values[entry]!;
    at = writeNumber(postings, at, place - before);
    before = place;
    // Byte by byte: an entry has a few bytes, and a view of them costs more than they do.
    for (let byte = entry === 0 ? 0 : ends[entry - 1]!; byte < ends[entry]!; byte += 1)
      positions[positionsAt++] = bytes[byte]!;
  }
  for (const entry of entries) postings[at++] = found.impacts.values[entry]!;
  return { word, works: entries.length, postings: postings.slice(0, at), positions };
}

/** Impact of a word with this weight, 1 to 255. */
export const impactOf = (weight: number): number =>
  Math.max(1, Math.round((255 * weight) / (weight + HALF_WEIGHT)));

interface Entry {
  weight: number;
  readonly positions: number[];
}

/** Words of a record with their weight and positions. */
export function entriesOf(fields: readonly FieldWords[], stem: Stemmer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let position = 0;
  const add = (word: string, weight: number, at: number) => {
    const entry = entries.get(word);
    if (entry) {
      entry.weight += weight;
      entry.positions.push(at);
    } else entries.set(word, { weight, positions: [at] });
  };
  for (const { parts, weight, usualWords, areNames, isMedium } of fields) {
    const length = parts.reduce((sum, { length }) => sum + length, 0);
    const each = weight / (1 - LENGTH_SHARE + LENGTH_SHARE * (length / usualWords));
    for (const words of parts) {
      for (const raw of words) {
        const word = areNames ? raw : stem(raw);
        if (areNames) entries.set(NAME_MARK + raw, COUNTED);
        position += 1;
        add(word, each, position);
        if (isMedium) add(MEDIUM_MARK + word, 0, position);
      }
      position += GAP;
    }
  }
  return entries;
}

/** An entry without weight and positions, which only counts. */
const COUNTED: Entry = { weight: 0, positions: [] };

function writePositions(bytes: Uint8Array, start: number, positions: readonly number[]): number {
  let at = writeNumber(bytes, start, positions.length);
  let before = 0;
  for (const position of positions) {
    at = writeNumber(bytes, at, position - before);
    before = position;
  }
  return at;
}

/** Entries grouped by word in order of arrival (counting sort), and the start of each group. */
function sortByWord(words: Uint32Array, count: number): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (const word of words) starts[word + 1]! += 1;
  for (let word = 0; word < count; word += 1) starts[word + 1]! += starts[word]!;
  const next = starts.slice();
  const order = new Uint32Array(words.length);
  for (let entry = 0; entry < words.length; entry += 1) order[next[words[entry]!]!++] = entry;
  return { order, starts };
}

type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** A growable column of numbers. */
function createColumn<T extends Numbers>(kind: new (size: number) => T) {
  const column = {
    values: new kind(1 << 16),
    length: 0,
    /** Reserves capacity for this many more values. */
    reserve(more: number) {
      if (column.length + more <= column.values.length) return;
      const larger = new kind(2 * column.values.length + more);
      larger.set(column.values);
      column.values = larger;
    },
    push(value: number) {
      if (column.length === column.values.length) column.reserve(1);
      column.values[column.length++] = value;
    },
  };
  return column;
}
