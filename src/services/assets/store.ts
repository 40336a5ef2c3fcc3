import type { Queryable } from '../../database/index.ts';
import { WALLET_STORAGE_BYTES_MAX } from '../../limits.ts';
import type { Asset, StorageUse } from './index.ts';

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
};

/**
 * One statement: the row, and by trigger the sum and the quota behind it. Two saves of one wallet queue at its row of
 * asset_storage. @throws the database's violation of `asset_storage_quota`
 */
export async function upsertAsset(database: Queryable, row: NewRow): Promise<AssetRow> {
  const rows = await database.query<AssetRow>(
    `INSERT INTO assets (wallet, key, sha256, size_bytes, content_type, metadata) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (wallet, key) DO UPDATE SET sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
       content_type = excluded.content_type, metadata = excluded.metadata, version = assets.version + 1,
       updated_at = excluded.updated_at
     RETURNING ${COLUMNS}`,
    [row.wallet, row.key, row.sha256, row.size_bytes, row.content_type, row.metadata],
  );
  return rows[0]!;
}

export async function selectAsset(
  database: Queryable,
  wallet: string,
  key: string,
): Promise<AssetRow | undefined> {
  const rows = await database.query<AssetRow>(
    `SELECT ${COLUMNS} FROM assets WHERE wallet = $1 AND key = $2`,
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
    `SELECT ${COLUMNS} FROM assets WHERE wallet = $1 AND starts_with(key, $2) AND key > $3 ORDER BY key LIMIT $4`,
    [wallet, page.prefix, page.after, page.limit],
  );
}

export async function countAssets(
  database: Queryable,
  wallet: string,
  prefix: string,
): Promise<{ count: number; totalBytes: number }> {
  const rows = await database.query<{ count: number; bytes: number }>(
    'SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes FROM assets WHERE wallet = $1 AND starts_with(key, $2)',
    [wallet, prefix],
  );
  return { count: rows[0]!.count, totalBytes: rows[0]!.bytes };
}

/** The size of what was deleted; nothing when there was nothing. */
export async function deleteAsset(
  database: Queryable,
  wallet: string,
  key: string,
): Promise<number | undefined> {
  const rows = await database.query<{ size_bytes: number }>(
    'DELETE FROM assets WHERE wallet = $1 AND key = $2 RETURNING size_bytes',
    [wallet, key],
  );
  return rows[0]?.size_bytes;
}

export async function selectUse(database: Queryable, wallet: string): Promise<StorageUse> {
  const rows = await database.query<{ used_bytes: number; limit_bytes: number }>(
    'SELECT used_bytes, limit_bytes FROM asset_storage WHERE wallet = $1',
    [wallet],
  );
  return {
    usedBytes: rows[0]?.used_bytes ?? 0,
    limitBytes: rows[0]?.limit_bytes ?? WALLET_STORAGE_BYTES_MAX,
  };
}

export async function selectBlobsInUse(database: Queryable, sha256s: string[]): Promise<Set<string>> {
  const rows = await database.query<{ sha256: string }>(
    'SELECT DISTINCT sha256 FROM assets WHERE sha256 = ANY($1::text[])',
    [sha256s],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

export const assetOf = (row: AssetRow): Asset => ({
  key: row.key,
  contentType: row.content_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** True for the refusal of `asset_storage_quota`, which both databases report alike. */
export function isQuotaViolation(error: unknown): boolean {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string };
  return (
    code === '23514' &&
    (constraint === 'asset_storage_quota' || (message ?? '').includes('asset_storage_quota'))
  );
}
