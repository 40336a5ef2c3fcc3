import { WALLET_STORAGE_BYTES_MAX } from '../../config/limits.ts';
import { sqlErrorOf } from '../../core/database/sql_error.ts';
import type { Queryable } from '../../core/database/types.ts';
import type { Asset, StorageUse } from './types.ts';

const COLUMNS = 'key, sha256, size_bytes, content_type, metadata, version, created_at, updated_at';

export interface AssetRow {
  key: string;
  sha256: string;
  size_bytes: number;
  content_type: string;
  metadata: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

type NewRow = Pick<AssetRow, 'key' | 'sha256' | 'size_bytes' | 'content_type' | 'metadata'> & {
  wallet: string;
  /** Id of the hold in the ledger, without its prefix; null without a hold. */
  hold: string | null;
};

/**
 * Saves a row; a trigger updates the usage and checks the quota. Concurrent saves of one wallet wait for its row in asset_storage.
 * A second save under one hold is a rerun of the same call, and creates no version.
 * @throws the database's violation of `asset_storage_quota`
 */
export async function upsertAsset(database: Queryable, row: NewRow): Promise<AssetRow> {
  const rows = await database.query<AssetRow>(
    `insert into assets (wallet, key, sha256, size_bytes, content_type, metadata, hold_id)
     values ($1, $2, $3, $4, $5, $6, 'hold:' || $7::text)
     on conflict (wallet, key) do update set sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
       content_type = excluded.content_type, metadata = excluded.metadata,
       version = assets.version + case when assets.hold_id = excluded.hold_id then 0 else 1 end,
       updated_at = excluded.updated_at, hold_id = excluded.hold_id
     returning ${COLUMNS}`,
    [row.wallet, row.key, row.sha256, row.size_bytes, row.content_type, row.metadata, row.hold],
  );
  return rows[0]!;
}

export async function selectAsset(
  database: Queryable,
  wallet: string,
  key: string,
): Promise<AssetRow | undefined> {
  const rows = await database.query<AssetRow>(
    `select ${COLUMNS} from assets where wallet = $1 and key = $2`,
    [wallet, key],
  );
  return rows[0];
}

export function selectPage(
  database: Queryable,
  wallet: string,
  page: { prefix: string; after: string; limit: number },
): Promise<AssetRow[]> {
  return database.query<AssetRow>(
    `select ${COLUMNS} from assets where wallet = $1 and starts_with(key, $2) and key > $3 order by key limit $4`,
    [wallet, page.prefix, page.after, page.limit],
  );
}

export async function countAssets(
  database: Queryable,
  wallet: string,
  prefix: string,
): Promise<{ count: number; totalBytes: number }> {
  const rows = await database.query<{ count: number; bytes: number }>(
    'select count(*) as count, coalesce(sum(size_bytes), 0) as bytes from assets where wallet = $1 and starts_with(key, $2)',
    [wallet, prefix],
  );
  return { count: rows[0]!.count, totalBytes: rows[0]!.bytes };
}

export async function selectUse(database: Queryable, wallet: string): Promise<StorageUse> {
  const rows = await database.query<{ used_bytes: number; limit_bytes: number; earlier_bytes: number }>(
    'select used_bytes, limit_bytes, earlier_bytes from asset_storage where wallet = $1',
    [wallet],
  );
  return {
    usedBytes: rows[0]?.used_bytes ?? 0,
    limitBytes: rows[0]?.limit_bytes ?? WALLET_STORAGE_BYTES_MAX,
    earlierBytes: rows[0]?.earlier_bytes ?? 0,
  };
}

/** Bytes of all wallets, including earlier versions and the trash. */
export async function sumUse(database: Queryable): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    'select coalesce(sum(used_bytes + earlier_bytes), 0) as bytes from asset_storage',
  );
  return row!.bytes;
}

/** Columns that reference blobs. */
export const NAMED_BLOBS = [
  { blob: 'sha256', from: 'assets' },
  { blob: 'sha256', from: 'earlier_assets' },
  { blob: "before->>'sha256'", from: 'unpaid_assets' },
];

export const assetOf = (row: AssetRow): Asset => ({
  key: row.key,
  contentType: row.content_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Whether the error is a violation of `asset_storage_quota`. */
export const isQuotaViolation = (error: unknown): boolean =>
  sqlErrorOf(error)?.constraint === 'asset_storage_quota';
