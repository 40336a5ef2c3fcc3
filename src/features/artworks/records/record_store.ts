import type { Queryable } from '../../../core/database/types.ts';
import type { PreparedRecord } from './canonical.ts';
import { type ArtworkRecord, namesPicture } from './record.ts';

const NOW = 2147483647;

export interface Written {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly withdrawn: number;
  /** Rows that are new, including changed works, with their assigned numbers. */
  readonly rows: readonly WrittenRow[];
}

export interface WrittenRow {
  readonly number: number;
  readonly record: ArtworkRecord;
}

/**
 * Writes works that a running edition does not contain yet. Idempotent; call it in a transaction.
 * @param seenOn ISO date on which the museum's data was read
 */
export async function writeRecords(
  tx: Queryable,
  edition: number,
  works: readonly PreparedRecord[],
  seenOn: string,
): Promise<Written> {
  const known = await tx.query<{ id: string; sha256: string | null }>(
    `select id, sha256 from artworks where id = any($1::text[]) and removed_in = ${NOW}
     union all select id, null from artwork_withdrawals where id = any($1::text[])`,
    [works.map(({ record }) => record.id)],
  );
  const gone = new Set(known.filter(({ sha256 }) => sha256 === null).map(({ id }) => id));
  const before = new Map(known.map(({ id, sha256 }) => [id, sha256]));
  const here = works.filter(({ record }) => !gone.has(record.id));
  const differing = here.filter(({ record, sha256 }) => before.get(record.id) !== sha256);
  const changed = differing.filter(({ record }) => before.has(record.id)).map(({ record }) => record.id);
  if (changed.length > 0)
    await tx.query(`update artworks set removed_in = $1 where id = any($2::text[]) and removed_in = ${NOW}`, [
      edition,
      changed,
    ]);
  return {
    added: differing.length - changed.length,
    changed: changed.length,
    unchanged: here.length - differing.length,
    withdrawn: works.length - here.length,
    rows: await insertRows(tx, edition, differing, seenOn),
  };
}

/**
 * Passes all records as one JSON text, which the database parses faster than an array of texts with doubled
 * quotes.
 */
async function insertRows(
  tx: Queryable,
  edition: number,
  works: readonly PreparedRecord[],
  seenOn: string,
): Promise<WrittenRow[]> {
  if (works.length === 0) return [];
  const rows = await tx.query<{ number: number; id: string }>(
    `insert into artworks (id, museum, added_in, sha256, seen_on, record, year_from, year_to, has_image)
     select id, museum, $1, sha256, $2::date, record, year_from, year_to, has_image
     from unnest($3::text[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::boolean[]) with ordinality
       as work (id, museum, sha256, year_from, year_to, has_image, place)
     join jsonb_array_elements($9::jsonb) with ordinality as told (record, place) using (place)
     order by place returning number, id`,
    [
      edition,
      seenOn,
      works.map(({ record }) => record.id),
      works.map(({ record }) => record.museum),
      works.map(({ sha256 }) => sha256),
      works.map(({ record }) => record.year_from),
      works.map(({ record }) => record.year_to),
      works.map(({ record }) => namesPicture(record)),
      `[${works.map(({ json }) => json).join(',')}]`,
    ],
  );
  const records = new Map(works.map(({ record }) => [record.id, record]));
  return rows.map(({ number, id }) => ({ number, record: records.get(id)! }));
}

export interface StoredRecord {
  readonly record: ArtworkRecord;
  readonly sha256: string;
  /** ISO date on which the museum's data was read; null for a work of the starter catalogue. */
  readonly seenOn: string | null;
}

const STORED = `record, sha256,
  case when record->'rights'->>'evidence' is not null then seen_on::text end as "seenOn"`;
const IN_EDITION = 'added_in <= $1 and removed_in > $1';

/** Finds a work in an edition. */
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

/** A range of an edition in the order of ids: after `after`, or from `from` to `to` inclusive. */
export interface Stretch {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly offset?: number | undefined;
  /** Only works with an image. */
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

/** Counts of a range, and its first and last id. */
export interface Extent {
  readonly count: number;
  /** Works with an image. */
  readonly pictures: number;
  /** Works of the starter catalogue. */
  readonly starter: number;
  /** null for an empty range. */
  readonly first: string | null;
  readonly last: string | null;
}

/** Selects the works of the starter catalogue: those its edition added. Reads no records. */
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
 * Updates the planner statistics. The embedded database never does so by itself, and would otherwise sort all
 * works for each page.
 */
export async function analyzeWorks(database: Queryable): Promise<void> {
  await database.query('analyze artworks (number, id, museum, added_in, removed_in)');
}

/**
 * "id sha256\n" of the works of an edition, in the order of ids, as one text: reading rows would take several
 * times as long.
 */
export async function readHashes(
  database: Queryable,
  edition: number,
  after: string,
  limit: number,
): Promise<{ works: number; last: string | null; text: string }> {
  const [row] = await database.query<{ works: number; last: string | null; text: string }>(
    `select count(*) as works, max(id) as last, coalesce(string_agg(id || ' ' || sha256 || chr(10), '' order by id), '') as text
     from (select id, sha256 from artworks where ${IN_EDITION} and id > $2 order by id limit $3) as page`,
    [edition, after, limit],
  );
  return row!;
}

export interface Change {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly sha256_before: string | null;
  readonly sha256_after: string | null;
}

/** Differences between two editions, in the order of ids. */
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

/** Number of works of each museum in an edition, and of those with an image. */
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

/** Ends the validity of a work with an edition. */
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
