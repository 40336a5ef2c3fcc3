import type { Queryable } from '../../core/database/types.ts';

export interface EntryRow {
  /** Id of the record in its store. */
  cid: string;
  record: string;
  content_cid: string;
  sha256: string;
  size_bytes: number;
  content_type: string;
}

type StoreName = 'archive' | 'arweave';

/**
 * Inserts an entry. Returns whether the file was stored permanently before.
 * @throws the database's violation of `asset_hold_is_open` if the hold has ended in the meantime
 */
export async function insert(
  database: Queryable,
  row: EntryRow & { at: Date; hold: string | undefined; store: StoreName },
): Promise<boolean> {
  const [answer] = await database.query<{ was_kept: boolean }>(
    `select store_archive_entry($1, $2, $3, $4, $5, $6, $7, 'hold:' || $8::text, $9) as was_kept`,
    [
      row.cid,
      row.record,
      row.content_cid,
      row.sha256,
      row.size_bytes,
      row.content_type,
      row.at,
      row.hold ?? null,
      row.store,
    ],
  );
  return answer!.was_kept;
}

/** Finds the entry whose record or file has this id. Of several records of one file, returns the oldest. */
export async function select(
  database: Queryable,
  store: StoreName,
  cid: string,
): Promise<(EntryRow & { is_paid: boolean }) | undefined> {
  const rows = await database.query<EntryRow & { is_paid: boolean }>(
    `select cid, record, content_cid, sha256, size_bytes, content_type, paid_at is not null as is_paid
     from archive_entries where (cid = $2 or content_cid = $2) and store = $1 order by stored_at, cid limit 1`,
    [store, cid],
  );
  return rows[0];
}

/** Columns that reference blobs, which must not be deleted. */
export const NAMED_BLOBS = [
  { blob: 'sha256', from: 'archive_entries', where: `store = '${'archive' satisfies StoreName}'` },
];
