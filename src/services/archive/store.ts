import type { Queryable } from '../../database/index.ts';

export interface EntryRow {
  cid: string;
  record: string;
  content_cid: string;
  sha256: string;
  size_bytes: number;
  content_type: string;
}

/** @throws the database's violation of `asset_hold_is_open` when the hold has ended meanwhile */
export async function insert(
  database: Queryable,
  row: EntryRow & { at: Date; hold: string | null },
): Promise<void> {
  await database.query(`select store_archive_entry($1, $2, $3, $4, $5, $6, $7, 'hold:' || $8::text)`, [
    row.cid,
    row.record,
    row.content_cid,
    row.sha256,
    row.size_bytes,
    row.content_type,
    row.at,
    row.hold,
  ]);
}

/** The entry a CID names: as its record, or as the file; of several records of one file the oldest. */
export async function select(database: Queryable, cid: string): Promise<EntryRow | undefined> {
  const rows = await database.query<EntryRow>(
    `select cid, record, content_cid, sha256, size_bytes, content_type from archive_entries
     where cid = $1 or content_cid = $1 order by stored_at, cid limit 1`,
    [cid],
  );
  return rows[0];
}

export async function selectBlobsInUse(database: Queryable, sha256s: string[]): Promise<Set<string>> {
  const rows = await database.query<{ sha256: string }>(
    'select distinct sha256 from archive_entries where sha256 = any($1::text[])',
    [sha256s],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}
