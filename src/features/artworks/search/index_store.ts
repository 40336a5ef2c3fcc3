import type { Queryable } from '../../../core/database/types.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Columns, StoredPostings, Word } from './segment_builder.ts';

/** Works of a museum in an edition, in the order of their numbers. */
export function readWorks(
  database: Queryable,
  { edition, museum, after, limit }: { edition: number; museum: string; after: number; limit: number },
): Promise<
  { number: number; record: ArtworkRecord /** True if added by this edition. */; isNew: boolean }[]
> {
  return database.query(
    `select number, record, added_in = $1 as "isNew" from artworks
     where museum = $2 and added_in <= $1 and removed_in > $1 and number > $3 order by number limit $4`,
    [edition, museum, after, limit],
  );
}

/** Museums whose works an edition adds or removes. */
export async function readChangedMuseums(database: Queryable, edition: number): Promise<string[]> {
  const rows = await database.query<{ museum: string }>(
    `select museum from artworks where added_in = $1 union select museum from artworks where removed_in = $1`,
    [edition],
  );
  return rows.map(({ museum }) => museum);
}

const hex = (bytes: ArrayBufferView): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** Inserts a segment that no index refers to yet. Returns its number. */
export async function insertSegment(
  database: Queryable,
  museum: string,
  { numbers, yearsFrom, yearsTo, standing, traits, longSides, heights, widths, points }: Columns,
): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `insert into artwork_segments (museum, works, numbers, years_from, years_to, standing, traits, long_sides, heights, widths, points)
     values ($1, $2, decode($3, 'hex'), decode($4, 'hex'), decode($5, 'hex'), decode($6, 'hex'), decode($7, 'hex'), decode($8, 'hex'), decode($9, 'hex'),
       decode($10, 'hex'), decode($11, 'hex'))
     returning id`,
    [
      museum,
      numbers.length,
      ...[numbers, yearsFrom, yearsTo, standing, traits, longSides, heights, widths, points].map(hex),
    ],
  );
  return row!.id;
}

export async function insertPostings(
  database: Queryable,
  segment: number,
  words: readonly Word[],
): Promise<void> {
  await database.query(
    `insert into artwork_postings (segment, word, works, postings, positions)
     select $1, word, works, decode(postings, 'hex'), decode(positions, 'hex')
     from unnest($2::text[], $3::integer[], $4::text[], $5::text[]) as row (word, works, postings, positions)`,
    [
      segment,
      words.map(({ word }) => word),
      words.map(({ works }) => works),
      words.map(({ postings }) => hex(postings)),
      words.map(({ positions }) => hex(positions)),
    ],
  );
}

/**
 * Searches of the museum use these segments from this edition on. If another process inserted its index first, that one is kept: both are
 * equivalent.
 */
export async function insertIndex(
  database: Queryable,
  {
    museum,
    edition,
    version,
    segments,
  }: { museum: string; edition: number; version: number; segments: number[] },
): Promise<void> {
  await database.query(
    `insert into artwork_indexes (museum, edition, version, segments) values ($1, $2, $3, $4)
     on conflict (museum, edition) do update set version = excluded.version, segments = excluded.segments
       where artwork_indexes.version <> excluded.version`,
    [museum, edition, version, segments],
  );
}

/**
 * Deletes indexes of the museum older than the last one before this edition, which may still have readers,
 * and unreferenced segments.
 */
export async function deleteOldIndexes(database: Queryable, museum: string, edition: number): Promise<void> {
  await database.query(
    `delete from artwork_indexes where museum = $1 and edition <
       (select max(edition) from artwork_indexes where museum = $1 and edition < $2)`,
    [museum, edition],
  );
  const unnamed = await database.query<{ id: number }>(
    `select id from artwork_segments where museum = $1
     and id not in (select unnest(segments) from artwork_indexes where museum = $1)`,
    [museum],
  );
  // One by one: each deletion cascades to its words, and statements have a timeout.
  for (const { id } of unnamed) await database.query('delete from artwork_segments where id = $1', [id]);
}

export interface IndexOfMuseum {
  readonly museum: MuseumName;
  readonly edition: number;
  readonly version: number;
  readonly segments: readonly number[];
}

/** The newest index of each museum, up to an edition. */
export function readIndexes(database: Queryable, edition: number): Promise<IndexOfMuseum[]> {
  return database.query<IndexOfMuseum>(
    `select distinct on (museum) museum, edition, version, segments from artwork_indexes
     where edition <= $1 order by museum, edition desc`,
    [edition],
  );
}

export interface StoredSegment {
  readonly id: number;
  readonly museum: MuseumName;
  readonly works: number;
  readonly numbers: Uint8Array;
  readonly years_from: Uint8Array;
  readonly years_to: Uint8Array;
  readonly standing: Uint8Array;
  readonly traits: Uint8Array;
  readonly long_sides: Uint8Array;
  readonly heights: Uint8Array;
  readonly widths: Uint8Array;
  readonly points: Uint8Array;
}

export function readSegments(database: Queryable, ids: readonly number[]): Promise<StoredSegment[]> {
  return database.query<StoredSegment>('select * from artwork_segments where id = any($1::integer[])', [ids]);
}

/** Numbers of works removed after one edition and up to another for which no index was built. */
export async function readGone(
  database: Queryable,
  { museum, after, edition }: { museum: string; after: number; edition: number },
): Promise<number[]> {
  const rows = await database.query<{ number: number }>(
    'select number from artworks where museum = $1 and removed_in > $2 and removed_in <= $3 order by number',
    [museum, after, edition],
  );
  return rows.map(({ number }) => number);
}

/** Key of a posting list: a word of a segment. */
export interface ReadPostingsOptions {
  readonly segment: number;
  readonly word: string;
}

export function readPostings(
  database: Queryable,
  wanted: readonly ReadPostingsOptions[],
): Promise<(ReadPostingsOptions & StoredPostings)[]> {
  return database.query(
    `select segment, word, works, postings from artwork_postings
     join unnest($1::integer[], $2::text[]) as wanted (segment, word) using (segment, word)`,
    [wanted.map(({ segment }) => segment), wanted.map(({ word }) => word)],
  );
}

export function readPositions(
  database: Queryable,
  wanted: readonly ReadPostingsOptions[],
): Promise<(ReadPostingsOptions & { readonly positions: Uint8Array })[]> {
  return database.query(
    `select segment, word, positions from artwork_postings
     join unnest($1::integer[], $2::text[]) as wanted (segment, word) using (segment, word)`,
    [wanted.map(({ segment }) => segment), wanted.map(({ word }) => word)],
  );
}

/** Museums with works in an edition. */
export async function museumsOf(database: Queryable, edition: number): Promise<string[]> {
  const rows = await database.query<{ museum: string }>(
    'select distinct museum from artworks where added_in <= $1 and removed_in > $1',
    [edition],
  );
  return rows.map(({ museum }) => museum);
}
