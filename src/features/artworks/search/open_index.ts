import { setImmediate } from 'node:timers/promises';
import { createBoundedCache } from '../../../core/bounded_cache.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { SEARCH_INDEX_WAIT_MS, SEARCH_MEMORY_BYTES_MAX } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import { type LiveMoment, readLiveSince } from '../on_demand/on_demand_store.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { type FieldWords, type Language, languageOf, wordsOfRecord } from './fields.ts';
import {
  type IndexOfMuseum,
  insertIndex,
  insertPostings,
  insertSegment,
  museumsOf,
  type ReadPostingsOptions,
  readGone,
  readIndexes,
  readPositions,
  readPostings,
  readSegments,
  readWorks,
  type StoredSegment,
} from './index_store.ts';
import {
  type Columns,
  createSegmentBuilder,
  createStems,
  INDEX_VERSION,
  NO_POSTINGS,
  NO_YEAR,
  type Stems,
  type StoredPostings,
  type Word,
} from './segment_builder.ts';
import { longSideOf, sidesOf, traitsOf } from './traits.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { WordWriter } from './word_index_types.ts';

/** Maximum works inverted in memory at a time; each takes about 1 kB. */
const SEGMENT_WORKS_MAX = 131_072;
const WORKS_A_PAGE = 250;
/** Works tokenised or inverted before yielding to the event loop: 1 to 2 ms. */
const WORKS_A_TURN = 100;
/** On the embedded database, a larger statement would block all other queries for too long. */
const STATEMENT_WORDS_MAX = 500;
const STATEMENT_BYTES_MAX = 250_000;

/**
 * Builds segments from a museum's works as they arrive and writes each once it is full. Readers do not see them until an index refers to
 * them.
 * @param vocabulary receives the words that typo correction may use; absent: they are counted already
 */
export function createSegments(database: Queryable, museum: string, vocabulary?: Vocabulary): WordWriter {
  const stems = createStems(database);
  const language = languageOf(museum);
  const written: number[] = [];
  let builder = createSegmentBuilder(SEGMENT_WORKS_MAX);
  let first = Number.POSITIVE_INFINITY;
  const write = async () => {
    if (builder.works > 0) written.push(await writeSegment(database, museum, builder));
    builder = createSegmentBuilder(SEGMENT_WORKS_MAX);
  };
  return {
    get first() {
      return first;
    },
    async add(works) {
      if (builder.works + works.length > SEGMENT_WORKS_MAX) await write();
      const cut = [];
      for await (const some of inTurns(works))
        cut.push(...some.map((work) => ({ ...work, fields: wordsOfRecord(work.record) })));
      const stem = await stems.of(language, stemmedWords(cut));
      for await (const some of inTurns(cut)) {
        for (const { number, record, fields } of some) {
          first = Math.min(first, number);
          builder.add(number, record, stem, fields);
          vocabulary?.add(fields);
        }
      }
    },
    async finish() {
      await write();
      return written;
    },
  };
}

/** Yields in batches, so that the statements of the import and other clients are served in between. */
async function* inTurns<T>(works: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < works.length; at += WORKS_A_TURN) {
    if (at > 0) await setImmediate();
    yield works.slice(at, at + WORKS_A_TURN);
  }
}

/** Names are looked up in their exact form. */
function* stemmedWords(works: readonly { readonly fields: readonly FieldWords[] }[]): Generator<string> {
  for (const { fields } of works)
    for (const { parts, areNames } of fields) if (!areNames) for (const words of parts) yield* words;
}

/**
 * Builds the index of a museum's works in an edition. Invisible until the last statement, so it can be interrupted and repeated.
 * @param fresh segments of the works written last, which are not read again
 */
export async function indexMuseum(
  database: Queryable,
  museum: string,
  edition: number,
  { fresh, vocabulary }: { fresh?: WordWriter | undefined; vocabulary?: Vocabulary } = {},
): Promise<void> {
  const others = createSegments(database, museum);
  const before = fresh?.first ?? Number.POSITIVE_INFINITY;
  for (let after = 0; after < before; ) {
    const page = await readWorks(database, { edition, museum, after, limit: WORKS_A_PAGE });
    const older = page.filter(({ number }) => number < before);
    await others.add(older);
    // Works of a resumed import have not been counted yet.
    for (const { record } of older.filter(({ isNew }) => isNew)) vocabulary?.add(wordsOfRecord(record));
    if (older.length < WORKS_A_PAGE) break;
    after = older.at(-1)!.number;
  }
  const segments = [...(await others.finish()), ...((await fresh?.finish()) ?? [])];
  await insertIndex(database, { museum, edition, version: INDEX_VERSION, segments });
}

async function writeSegment(
  database: Queryable,
  museum: string,
  builder: ReturnType<typeof createSegmentBuilder>,
): Promise<number> {
  const segment = await insertSegment(database, museum, builder.columns());
  // Inverts the next words while the database writes the previous ones.
  let before: Promise<void> = Promise.resolve();
  for (const words of statements(builder.words())) {
    const after = insertPostings(database, segment, words);
    after.catch(() => {});
    await before;
    before = after;
  }
  await before;
  return segment;
}

/** Batches of words, one statement each. */
function* statements(words: Iterable<Word>): Generator<Word[]> {
  let some: Word[] = [];
  let bytes = 0;
  for (const word of words) {
    some.push(word);
    bytes += word.postings.length + word.positions.length;
    if (some.length === STATEMENT_WORDS_MAX || bytes > STATEMENT_BYTES_MAX) {
      yield some;
      some = [];
      bytes = 0;
    }
  }
  if (some.length > 0) yield some;
}

const ROWS_AT_A_TIME = 500;
/** Transactions that started earlier may commit later. */
const OVERLAP_MS = 60_000;
const BEGINNING: LiveMoment = { askedAt: new Date(0), id: '' };

type OfMuseum = Columns & { readonly museum: string };

/** Column overrides from later museum responses: works completed on demand replace the values of the edition. */
function createLiveColumns(database: Queryable) {
  let known: { edition: number; segments: readonly OfMuseum[]; last: LiveMoment } | undefined;
  let following: Promise<unknown> = Promise.resolve();

  const followNow = async (edition: number, segments: readonly OfMuseum[]) => {
    const isSame = known?.edition === edition && known.segments === segments;
    let last = isSame ? earlier(known!.last) : BEGINNING;
    for (;;) {
      const rows = await readLiveSince(database, edition, last, ROWS_AT_A_TIME);
      for (const { number, record } of rows) put(segments, number, record);
      last = rows.at(-1) ?? last;
      if (rows.length < ROWS_AT_A_TIME) break;
    }
    const reached = isSame && known!.last.askedAt > last.askedAt ? known!.last : last;
    known = { edition, segments, last: reached };
  };
  return {
    /** Reads one after the other. */
    follow(edition: number, segments: readonly OfMuseum[]): Promise<void> {
      const next = following.then(() => followNow(edition, segments));
      following = next.catch(() => {});
      return next;
    },
  };
}

const earlier = ({ askedAt }: LiveMoment): LiveMoment => ({
  askedAt: new Date(Math.max(0, askedAt.getTime() - OVERLAP_MS)),
  id: '',
});

function put(segments: readonly OfMuseum[], number: number, record: ArtworkRecord): void {
  for (const segment of segments) {
    const { museum, numbers, traits, longSides, yearsFrom, yearsTo } = segment;
    const place = museum === record.museum ? numbers.indexOf(number) : -1;
    if (place < 0) continue;
    traits[place] = traitsOf(record);
    longSides[place] = longSideOf(record);
    [segment.heights[place], segment.widths[place]] = sidesOf(record);
    yearsFrom[place] = record.year_from ?? NO_YEAR;
    yearsTo[place] = record.year_to ?? NO_YEAR;
    return;
  }
}

/** A segment of a museum's works for search. The place of a work is its index in the columns. */
export interface Segment extends Columns {
  readonly id: number;
  readonly museum: MuseumName;
  readonly language: Language;
  readonly works: number;
  /** Places of works removed since. */
  readonly gone: readonly number[];
}

export interface SearchIndex {
  readonly stems: Stems;
  /**
   * The segments of an edition. Built first if an older program version wrote the works.
   * @throws AtelierError busy while that takes too long for a request
   */
  segments(edition: number): Promise<readonly Segment[]>;
  /** Applies later museum responses about single works to the filter columns. */
  followMuseums(edition: number): Promise<void>;
  /** Posting lists by `key`, recent ones from the cache. Missing lists are empty. */
  postings(wanted: readonly ReadPostingsOptions[]): Promise<ReadonlyMap<string, StoredPostings>>;
  positions(wanted: readonly ReadPostingsOptions[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

export const key = ({ segment, word }: ReadPostingsOptions): string => `${segment} ${word}`;

const OPEN = new WeakMap<Database, SearchIndex>();

/** The index of a database, with its cache. */
export function openIndex(database: Database): SearchIndex {
  const index = OPEN.get(database) ?? create(database);
  OPEN.set(database, index);
  return index;
}

function create(database: Database): SearchIndex {
  const postings = createCachedReader<StoredPostings>(
    SEARCH_MEMORY_BYTES_MAX,
    (list) => list.postings.length,
  );
  const positions = createCachedReader<Uint8Array>(SEARCH_MEMORY_BYTES_MAX / 4, (list) => list.length);
  const live = createLiveColumns(database);
  let current: { edition: number; segments: Promise<readonly Segment[]> } | undefined;
  const segments: SearchIndex['segments'] = async (edition) => {
    if (current?.edition !== edition) {
      const before = current?.segments;
      const opening = { edition, segments: loadSegments(database, edition, before) };
      current = opening;
      opening.segments.catch(() => {
        if (current === opening) current = undefined;
      });
    }
    return await inTime(current!.segments);
  };
  return {
    stems: createStems(database),
    segments,
    followMuseums: async (edition) => live.follow(edition, await segments(edition)),
    postings: (wanted) =>
      postings.all(
        wanted.map(key),
        async (missing) => {
          const rows = await readPostings(
            database,
            wanted.filter((one) => missing.has(key(one))),
          );
          return new Map(rows.map((row) => [key(row), row]));
        },
        NO_POSTINGS,
      ),
    positions: (wanted) =>
      positions.all(
        wanted.map(key),
        async (missing) => {
          const rows = await readPositions(
            database,
            wanted.filter((one) => missing.has(key(one))),
          );
          return new Map(rows.map((row) => [key(row), row.positions]));
        },
        new Uint8Array(0),
      ),
  };
}

async function loadSegments(
  database: Database,
  edition: number,
  before: Promise<readonly Segment[]> | undefined,
): Promise<readonly Segment[]> {
  const indexes = await completeIndexes(database, edition);
  const loaded = new Map((await before?.catch(() => []))?.map((segment) => [segment.id, segment]));
  const missing = indexes.flatMap(({ segments }) => segments).filter((id) => !loaded.has(id));
  for (const stored of await readSegments(database, missing)) loaded.set(stored.id, open(stored));
  const segments: Segment[] = [];
  for (const { museum, edition: after, segments: ids } of indexes) {
    const gone = await readGone(database, { museum, after, edition });
    for (const id of ids) {
      const segment = loaded.get(id)!;
      if (segment.works > 0) segments.push({ ...segment, gone: placesOf(segment, gone) });
    }
  }
  return segments;
}

/** Indexes of all museums of an edition. Rebuilds those missing or built by another program version. */
async function completeIndexes(database: Database, edition: number): Promise<IndexOfMuseum[]> {
  const indexes = await readIndexes(database, edition);
  if (indexes.length > 0 && indexes.every(({ version }) => version === INDEX_VERSION)) return indexes;
  for (const museum of await museumsOf(database, edition)) await indexMuseum(database, museum, edition);
  return readIndexes(database, edition);
}

function placesOf({ numbers }: Segment, gone: readonly number[]): number[] {
  return gone.map((number) => numbers.indexOf(number)).filter((place) => place >= 0);
}

function open({ id, museum, works, ...stored }: StoredSegment): Segment {
  // Typed arrays of wider elements need an aligned offset.
  const aligned = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;
  return {
    id,
    museum,
    language: languageOf(museum),
    works,
    numbers: new Uint32Array(aligned(stored.numbers)),
    yearsFrom: new Int16Array(aligned(stored.years_from)),
    yearsTo: new Int16Array(aligned(stored.years_to)),
    standing: new Uint8Array(aligned(stored.standing)),
    traits: new Uint32Array(aligned(stored.traits)),
    longSides: new Uint16Array(aligned(stored.long_sides)),
    heights: new Uint16Array(aligned(stored.heights)),
    widths: new Uint16Array(aligned(stored.widths)),
    points: new Int32Array(aligned(stored.points)),
    gone: [],
  };
}

/**
 * Waits for a running index build, within the time limit of a request.
 * @throws AtelierError busy
 */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(indexBeingMade()), SEARCH_INDEX_WAIT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The error for an index that is still being built. */
export const indexBeingMade = (): AtelierError =>
  new AtelierError('busy', 'The search index is being built. Try again in a minute.');

/** Reads values by name, with those read last in memory. */
export function createCachedReader<T>(bytesMax: number, bytesOf: (value: T) => number) {
  const kept = createBoundedCache<T>(bytesMax, bytesOf);
  return {
    /** Values by name. Reads the uncached ones together; `absent` stands for those that do not exist. */
    async all(
      names: readonly string[],
      read: (missing: ReadonlySet<string>) => Promise<ReadonlyMap<string, T>>,
      absent: T,
    ): Promise<ReadonlyMap<string, T>> {
      const found = new Map<string, T>();
      const missing = new Set<string>();
      for (const name of names) {
        const value = kept.get(name);
        if (value === undefined) missing.add(name);
        else found.set(name, value);
      }
      if (missing.size === 0) return found;
      const fresh = await read(missing);
      for (const name of missing) {
        const value = fresh.get(name) ?? absent;
        found.set(name, value);
        kept.set(name, value);
      }
      return found;
    },
  };
}
