import type { Queryable } from '../../core/database/types.ts';
import type { AssetRow } from './store.ts';
import type { EarlierAsset, TrashPage } from './types.ts';

type Row = Omit<EarlierAsset, 'metadata'> & { readonly metadata: string | null };

const COLUMNS = `id, number, key, sha256, size_bytes as "sizeBytes", content_type as "contentType", metadata,
  saved_at as "savedAt", ended_at as "endedAt", is_deleted as "isDeleted", purge_at as "purgeAt"`;

const earlierOf = ({ metadata, ...row }: Row): EarlierAsset => ({
  ...row,
  metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
});

/** Versions of a key, newest first. */
export async function selectEarlier(
  database: Queryable,
  { wallet, key }: { wallet: string; key: string },
): Promise<EarlierAsset[]> {
  const rows = await database.query<Row>(
    `select ${COLUMNS} from earlier_assets where wallet = $1 and key = $2 order by number desc`,
    [wallet, key],
  );
  return rows.map(earlierOf);
}

/** Deleted assets that can be restored, newest first. */
export async function selectTrash(
  database: Queryable,
  wallet: string,
  { limit, before }: TrashPage,
): Promise<EarlierAsset[]> {
  const rows = await database.query<Row>(
    `select ${COLUMNS} from earlier_assets
     where wallet = $1 and is_deleted and ($3::int8 is null or number < $3) order by number desc limit $2`,
    [wallet, limit, before ?? null],
  );
  return rows.map(earlierOf);
}

export async function selectOne(
  database: Queryable,
  { wallet, id }: { wallet: string; id: string },
): Promise<EarlierAsset | undefined> {
  const [row] = await database.query<Row>(
    `select ${COLUMNS} from earlier_assets where wallet = $1 and id = $2`,
    [wallet, id],
  );
  return row && earlierOf(row);
}

/** Size of the deleted asset; undefined where there was none. */
export async function trashAsset(
  database: Queryable,
  { wallet, key, until }: { wallet: string; key: string; until: Date },
): Promise<number | undefined> {
  const [row] = await database.query<{ size: number | null }>('select trash_asset($1, $2, $3) as size', [
    wallet,
    key,
    until,
  ]);
  return row?.size ?? undefined;
}

/** The restored asset. @throws the database's violation of `asset_storage_quota` */
export async function restoreAsset(
  database: Queryable,
  { wallet, id }: { wallet: string; id: string },
): Promise<AssetRow | undefined> {
  const [row] = await database.query<AssetRow>('select * from restore_asset($1, $2)', [wallet, id]);
  return row;
}

/** Size of the purged version; undefined where there was none. */
export async function deleteEarlier(
  database: Queryable,
  { wallet, id }: { wallet: string; id: string },
): Promise<number | undefined> {
  const [row] = await database.query<{ size: number }>(
    'delete from earlier_assets where wallet = $1 and id = $2 returning size_bytes as size',
    [wallet, id],
  );
  return row?.size;
}

/** Deletes a limited batch; returns the number. */
export async function purgeDue(database: Queryable, now: Date, max: number): Promise<number> {
  const rows = await database.query(
    `delete from earlier_assets where id in
       (select id from earlier_assets where purge_at <= $1 order by purge_at limit $2 for update skip locked) returning 1`,
    [now, max],
  );
  return rows.length;
}
