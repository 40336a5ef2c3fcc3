import type { Queryable } from '../../database/contract.ts';
import { vocabularyOf } from '../search/fields.ts';
import { dropLetters } from '../search/misspelling.ts';
import { recordSha256 } from './canonical.ts';
import type { ArtworkRecord } from './record.ts';

const NOW = 2147483647;

export interface Written {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly duplicates: number;
  readonly withdrawn: number;
}

/** Writes some records into a running edition. Run in a transaction; doing it again changes nothing. */
export async function writeRecords(
  tx: Queryable,
  edition: number,
  records: readonly ArtworkRecord[],
  seenOn: string,
): Promise<Written> {
  const met = await tx.query<{ id: string }>(
    'insert into artwork_seen (edition, id) select $1, unnest($2::text[]) on conflict do nothing returning id',
    [edition, records.map(({ id }) => id)],
  );
  const gone = new Set(
    await readWithdrawn(
      tx,
      records.map(({ id }) => id),
    ),
  );
  const fresh = new Set(met.map(({ id }) => id));
  const kept = await tx.query<{ id: string; sha256: string }>(
    `select id, sha256 from artworks where id = any($1::text[]) and removed_in = ${NOW}`,
    [[...fresh]],
  );
  const before = new Map(kept.map(({ id, sha256 }) => [id, sha256]));
  // The first of two rows with one id is taken.
  const unique = records.filter(({ id }) => fresh.delete(id));
  const first = unique.filter(({ id }) => !gone.has(id));
  const rows = first
    .map((record) => ({ record, sha256: recordSha256(record) }))
    .filter(({ record, sha256 }) => before.get(record.id) !== sha256);
  const changed = rows.filter(({ record }) => before.has(record.id));
  await tx.query(`update artworks set removed_in = $1 where id = any($2::text[]) and removed_in = ${NOW}`, [
    edition,
    changed.map(({ record }) => record.id),
  ]);
  await insertRows(tx, edition, rows, seenOn);
  return {
    added: rows.length - changed.length,
    changed: changed.length,
    unchanged: first.length - rows.length,
    duplicates: records.length - unique.length,
    withdrawn: unique.length - first.length,
  };
}

async function insertRows(
  tx: Queryable,
  edition: number,
  rows: readonly { record: ArtworkRecord; sha256: string }[],
  seenOn: string,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into artworks (id, museum, added_in, sha256, seen_on, record, year_from, year_to, has_image)
     select record->>'id', record->>'museum', $2, sha256, $3::date, record,
       (record->>'year_from')::integer, (record->>'year_to')::integer, record->'image'->>'kind' is not null
     from jsonb_to_recordset($1::jsonb) as row (sha256 text, record jsonb)`,
    [JSON.stringify(rows), edition, seenOn],
  );
  const vocabulary = new Map<string, number>();
  for (const { record } of rows) {
    for (const word of vocabularyOf(record)) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
  }
  await tx.query(
    `insert into artwork_words (word, works, shortened)
     select word, works, shortened from jsonb_to_recordset($1::jsonb) as row (word text, works integer, shortened text[])
     on conflict (word) do update set works = artwork_words.works + excluded.works`,
    [JSON.stringify([...vocabulary].map(([word, works]) => ({ word, works, shortened: dropLetters(word) })))],
  );
}

export interface StoredRecord {
  readonly record: ArtworkRecord;
  readonly sha256: string;
  /** ISO date on which the museum's data was read; null for a work of the starter catalogue, which nobody has read there. */
  readonly seenOn: string | null;
}

const STORED = `record, sha256,
  case when record->'rights'->>'evidence' is not null then seen_on::text end as "seenOn"`;
const IN_EDITION = 'added_in <= $1 and removed_in > $1';

/** A work in an edition. */
export async function readRecord(
  database: Queryable,
  edition: number,
  id: string,
): Promise<StoredRecord | undefined> {
  const [row] = await database.query<StoredRecord>(
    `select ${STORED} from artworks where ${IN_EDITION} and id = $2`,
    [edition, id],
  );
  return row;
}

const NOT_WITHDRAWN =
  'not exists (select 1 from artwork_withdrawals where artwork_withdrawals.id = artworks.id)';

/** A stretch of an edition in the order of ids: after `after`, from `from` up to `to`, both included. */
export interface Stretch {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly offset?: number | undefined;
  /** Only works that name a picture. */
  readonly hasImage?: boolean | undefined;
  readonly limit: number;
}

const stretch = (edition: number, { after = '', from = '', to, offset = 0, hasImage, limit }: Stretch) => ({
  sql: `from artworks where ${IN_EDITION} and id > $2 and id >= $5 and ($6::text is null or id <= $6) and ${NOT_WITHDRAWN}
     and (has_image or not $7::boolean) order by id offset $3 limit $4`,
  values: [edition, after, offset, limit, from, to ?? null, hasImage === true],
});

export function readPage(database: Queryable, edition: number, asked: Stretch): Promise<StoredRecord[]> {
  const { sql, values } = stretch(edition, asked);
  return database.query<StoredRecord>(`select ${STORED} ${sql}`, values);
}

/** What a stretch has, and its first and last id. */
export interface Extent {
  readonly count: number;
  /** Works that name a picture. */
  readonly pictures: number;
  /** Works of the starter catalogue. */
  readonly starter: number;
  /** null where there is none. */
  readonly first: string | null;
  readonly last: string | null;
}

/** Selects the works of the starter catalogue: what its edition has added, which is told without reading a record. */
const OF_STARTER = `added_in in (select artwork_editions.number from artwork_editions where artwork_editions.museum = 'starter')`;

export async function readExtent(database: Queryable, edition: number, asked: Stretch): Promise<Extent> {
  const { sql, values } = stretch(edition, asked);
  const [row] = await database.query<Extent>(
    `select count(*) as count, count(*) filter (where has_image) as pictures, count(*) filter (where ${OF_STARTER}) as starter,
       min(id) as first, max(id) as last from (select id, has_image, added_in ${sql}) as found`,
    values,
  );
  return row!;
}

/**
 * Tells the database how its works are spread, which the embedded one never finds out by itself: without it every page of works is
 * sorted out of all of them.
 */
export async function analyzeWorks(database: Queryable): Promise<void> {
  await database.query('analyze artworks (number, id, museum, added_in, removed_in)');
}

/** Ids and sha256s of an edition, in the order of the ids. */
export function readHashes(
  database: Queryable,
  edition: number,
  after: string,
  limit: number,
): Promise<{ id: string; sha256: string }[]> {
  return database.query(
    `select id, sha256 from artworks where ${IN_EDITION} and id > $2 order by id limit $3`,
    [edition, after, limit],
  );
}

export interface Change {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly sha256_before: string | null;
  readonly sha256_after: string | null;
}

/** What is different between two editions, in the order of the ids. */
export function readChanges(
  database: Queryable,
  { from, to, after, limit }: { from: number; to: number; after: string; limit: number },
): Promise<Change[]> {
  return database.query<Change>(
    `with old as (select id, sha256 from artworks
       where added_in <= $1 and removed_in > $1 and removed_in <= $2),
     new as (select id, sha256 from artworks
       where added_in <= $2 and removed_in > $2 and added_in > $1)
     select coalesce(old.id, new.id) as id,
       case when old.id is null then 'added' when new.id is null then 'removed' else 'changed' end as change,
       old.sha256 as sha256_before, new.sha256 as sha256_after
     from old full join new on old.id = new.id
     where coalesce(old.id, new.id) > $3 and old.sha256 is distinct from new.sha256
     order by 1 limit $4`,
    [from, to, after, limit],
  );
}

/** How many works of each museum an edition holds, and how many of them name a picture. */
export async function countByMuseum(
  database: Queryable,
  edition: number,
): Promise<Record<string, { works: number; pictures: number }>> {
  const rows = await database.query<{ museum: string; works: number; pictures: number }>(
    `select museum, count(*) as works, count(*) filter (where has_image) as pictures
     from artworks where ${IN_EDITION} group by museum`,
    [edition],
  );
  return Object.fromEntries(rows.map(({ museum, ...counts }) => [museum, counts]));
}

/** Which of the ids were taken out. */
async function readWithdrawn(database: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    'select id from artwork_withdrawals where id = any($1::text[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Ends a work with an edition. */
export async function removeWork(database: Queryable, edition: number, id: string): Promise<void> {
  await database.query(`update artworks set removed_in = $1 where id = $2 and removed_in = ${NOW}`, [
    edition,
    id,
  ]);
}

export async function insertWithdrawal(
  database: Queryable,
  { id, reason, now, edition }: { id: string; reason: string; now: Date; edition: number },
): Promise<void> {
  await database.query(
    'insert into artwork_withdrawals (id, withdrawn_at, reason, edition) values ($1, $2, $3, $4)',
    [id, now, reason, edition],
  );
}
