import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { SEARCH_INDEX_WAIT_MS, SEARCH_MEMORY_BYTES_MAX } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import { createBoundedCache } from './bounded_cache.ts';
import { type Language, languageOf } from './fields.ts';
import { indexMuseum } from './index_museum.ts';
import {
  type IndexOfMuseum,
  museumsOf,
  readGone,
  readIndexes,
  readPositions,
  readPostings,
  readSegments,
  type StoredSegment,
  type Wanted,
} from './index_store.ts';
import { createLiveColumns } from './live_columns.ts';
import { NO_POSTINGS, type StoredPostings } from './postings.ts';
import { type Columns, INDEX_VERSION } from './segment_builder.ts';
import { createStems, type Stems } from './stems.ts';

/** Some works of a museum as search sees them. A work's place is its index in the columns. */
export interface Segment extends Columns {
  readonly id: number;
  readonly museum: MuseumName;
  readonly language: Language;
  readonly works: number;
  /** Places of works that were taken out since. */
  readonly gone: readonly number[];
}

export interface SearchIndex {
  readonly stems: Stems;
  /**
   * The segments of an edition. They are made first where an older program wrote the works.
   * @throws AtelierError busy while that takes longer than a caller should wait
   */
  segments(edition: number): Promise<readonly Segment[]>;
  /** Takes up what museums have answered about single works since, which filters ask for. */
  followMuseums(edition: number): Promise<void>;
  /** Lists of words, those last asked for from memory; what is absent is empty. By `key`. */
  postings(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, StoredPostings>>;
  positions(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

export const key = ({ segment, word }: Wanted): string => `${segment} ${word}`;

const OPEN = new WeakMap<Database, SearchIndex>();

/** The index of a database, with what is kept of it in memory. */
export function openIndex(database: Database): SearchIndex {
  const index = OPEN.get(database) ?? create(database);
  OPEN.set(database, index);
  return index;
}

function create(database: Database): SearchIndex {
  const postings = createBoundedCache<StoredPostings>(
    SEARCH_MEMORY_BYTES_MAX,
    (list) => list.postings.length,
  );
  const positions = createBoundedCache<Uint8Array>(SEARCH_MEMORY_BYTES_MAX / 4, (list) => list.length);
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

/** Indexes of all museums of an edition. What is missing was written by an older program, or cut another way. */
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
  // Typed arrays of wider numbers have to begin at a multiple of their size.
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
    gone: [],
  };
}

/** Waits for an index that is being made no longer than a caller should. @throws AtelierError busy */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(indexBeingMade()), SEARCH_INDEX_WAIT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What is said where an index that is asked for is not whole yet. */
export const indexBeingMade = (): AtelierError =>
  new AtelierError('busy', 'The index of the dataset is being made. Try again in a minute.');
