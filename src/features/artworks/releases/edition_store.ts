import type { Queryable } from '../../../core/database/types.ts';
import type { ImportReport } from './report.ts';

/** An edition being written. */
export interface Running {
  readonly number: number;
  readonly museum: string;
  readonly source: string;
  readonly writtenAt: Date;
  readonly report: ImportReport;
}

export interface Edition {
  readonly number: number;
  readonly museum: string;
  readonly source: string;
  readonly publishedAt: Date;
  readonly report: ImportReport;
  /** Works of the whole dataset in this edition. */
  readonly works: number;
  readonly digest: string;
}

const EDITION = `number, museum, source, published_at as "publishedAt", report, works, digest`;

export async function readRunning(database: Queryable): Promise<Running | undefined> {
  const [row] = await database.query<Running>(
    `select number, museum, source, written_at as "writtenAt", report from artwork_editions where state = 'running'`,
  );
  return row;
}

/**
 * Reserves the next number.
 * @throws an SQL error (unique violation) while another import runs
 */
export async function startEdition(
  database: Queryable,
  edition: { museum: string; source: string; now: Date; report: ImportReport },
): Promise<number> {
  const [row] = await database.query<{ number: number }>(
    `insert into artwork_editions (number, museum, source, state, started_at, written_at, report)
     select coalesce(max(number), 0) + 1, $1, $2, 'running', $3, $3, $4 from artwork_editions returning number`,
    [edition.museum, edition.source, edition.now, JSON.stringify(edition.report)],
  );
  return row!.number;
}

/** False if another process has taken the edition over. */
export async function touchEdition(
  database: Queryable,
  { number, now, report, before }: { number: number; now: Date; report: ImportReport; before: Date },
): Promise<boolean> {
  const rows = await database.query(
    `update artwork_editions set written_at = $2, report = $3
     where number = $1 and state = 'running' and written_at = $4 returning number`,
    [number, now, JSON.stringify(report), before],
  );
  return rows.length > 0;
}

/** Rows written or deleted per statement: on the embedded database, a statement blocks all other queries. */
const ROWS_AT_A_TIME = 2000;

/**
 * Deletes an unpublished edition and everything written for it, so that its number can be reused. No reader
 * sees it, so the deletion runs in batches and can be repeated.
 */
export async function abandonEdition(database: Queryable, number: number): Promise<void> {
  await database.query('delete from artwork_indexes where edition = $1', [number]);
  await inBits(database, 'delete from artworks', 'artworks where added_in = $1', number);
  const back = 'update artworks set removed_in = 2147483647';
  await inBits(database, back, 'artworks where removed_in = $1', number);
  await database.query(`delete from artwork_editions where number = $1 and state = 'running'`, [number]);
}

async function inBits(database: Queryable, change: string, which: string, edition: number): Promise<void> {
  const text = `${change} where number in (select number from ${which} limit $2) returning number`;
  for (;;) {
    const { length } = await database.query(text, [edition, ROWS_AT_A_TIME]);
    if (length < ROWS_AT_A_TIME) return;
  }
}

/**
 * Marks works of the museum as removed that the edition does not contain; returns their number.
 * @param left works found again: if the museum has as many, none was removed
 */
export async function removeMissing(
  database: Queryable,
  { number, museum, met, left }: { number: number; museum: string; met: ReadonlySet<string>; left: number },
): Promise<number> {
  const [row] = await database.query<{ works: number }>(
    'select count(*) as works from artworks where museum = $1 and removed_in = 2147483647',
    [museum],
  );
  if (row!.works === left) return 0;
  let gone = 0;
  for (let after = 0; ; ) {
    const page = await database.query<{ number: number; id: string }>(
      `select number, id from artworks where museum = $1 and removed_in = 2147483647 and number > $2 order by number limit $3`,
      [museum, after, ROWS_AT_A_TIME],
    );
    const unmet = page.filter(({ id }) => !met.has(id));
    if (unmet.length > 0)
      await database.query('update artworks set removed_in = $1 where number = any($2::bigint[])', [
        number,
        unmet.map((row) => row.number),
      ]);
    gone += unmet.length;
    if (page.length < ROWS_AT_A_TIME) return gone;
    after = page.at(-1)!.number;
  }
}

/** Publishes the edition atomically, in one statement. Returns false if it was abandoned in the meantime. */
export async function publishEdition(
  database: Queryable,
  edition: { number: number; now: Date; report: ImportReport; works: number; digest: string },
): Promise<boolean> {
  const rows = await database.query(
    `update artwork_editions set state = 'published', published_at = $2, written_at = $2, report = $3, works = $4, digest = $5
     where number = $1 and state = 'running' returning number`,
    [edition.number, edition.now, JSON.stringify(edition.report), edition.works, edition.digest],
  );
  return rows.length > 0;
}

/** The newest published edition, or the given one. */
export async function readEdition(database: Queryable, number?: number): Promise<Edition | undefined> {
  const [row] = await database.query<Edition>(
    number === undefined
      ? `select ${EDITION} from artwork_editions where state = 'published' order by number desc limit 1`
      : `select ${EDITION} from artwork_editions where state = 'published' and readable and number = $1`,
    number === undefined ? [] : [number],
  );
  return row;
}

/** Number of the previous readable edition. */
export async function readPrevious(database: Queryable, number: number): Promise<number | undefined> {
  const [row] = await database.query<{ number: number }>(
    `select number from artwork_editions where state = 'published' and readable and number < $1
     order by number desc limit 1`,
    [number],
  );
  return row?.number;
}

/** Published editions, newest first. */
export function listEditions(database: Queryable, limit: number): Promise<Edition[]> {
  return database.query<Edition>(
    `select ${EDITION} from artwork_editions where state = 'published' order by number desc limit $1`,
    [limit],
  );
}

/** Museums with imported works, excluding the starter catalogue. */
export async function readImportedMuseums(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ museum: string }>(
    `select distinct museum from artwork_editions where state = 'published' and museum <> 'starter'
     and (report->>'added')::integer + (report->>'changed')::integer + (report->>'unchanged')::integer > 0`,
  );
  return rows.map(({ museum }) => museum);
}

/** The last published edition of each museum, newest first. */
export async function lastOfEach(database: Queryable): Promise<Edition[]> {
  const rows = await database.query<Edition>(
    `select distinct on (museum) ${EDITION} from artwork_editions where state = 'published' order by museum, artwork_editions.number desc`,
  );
  return rows.sort((one, other) => other.number - one.number);
}

/**
 * For each museum, its last complete file and all partial imports since, oldest first; of a repeated source
 * only the last.
 * @param upTo edition up to which imports count
 */
export function readSources(database: Queryable, upTo: number): Promise<Edition[]> {
  return database.query<Edition>(
    `select ${EDITION} from artwork_editions as one
     where state = 'published' and number <= $1 and museum not in ('starter', 'withdrawal')
       and not exists (select 1 from artwork_editions as later where later.museum = one.museum and later.state = 'published'
         and later.number > one.number and later.number <= $1 and (later.source = one.source or ${IS_WHOLE}))
     order by one.number`,
    [upTo],
  );
}

/** Works missing from such a file were removed. */
const IS_WHOLE = `((later.report->>'complete')::boolean and not coalesce((later.report->>'part')::boolean, false))`;

/**
 * Prunes editions beyond the newest `keep` that were published before `before`: they can no longer be read,
 * and at most `rowsMax` works that only they contain are deleted. Returns the number deleted; repeat until 0.
 */
export async function pruneEditions(
  database: Queryable,
  { keep, before, rowsMax }: { keep: number; before: Date; rowsMax: number },
): Promise<number> {
  const [oldest] = await database.query<{ number: number }>(
    `select min(number) as number from (
       (select number from artwork_editions where state = 'published' order by number desc limit $1)
       union all (select number from artwork_editions where state = 'published' and published_at >= $2)
     ) as kept having count(*) > 0`,
    [keep, before],
  );
  if (!oldest) return 0;
  await database.query('update artwork_editions set readable = false where readable and number < $1', [
    oldest.number,
  ]);
  const gone = await database.query(
    `delete from artworks where number in (select number from artworks where removed_in <= $1 and removed_in < 2147483647 limit $2) returning number`,
    [oldest.number, rowsMax],
  );
  return gone.length;
}
