import type { Queryable } from '../../../core/database/types.ts';
import { SKIPPED_KEYS_SHOWN } from './limits.ts';
import type { ArchiveRows } from './read_manifest.ts';
import { insertAssets, insertVersions } from './store.ts';
import type { Imported } from './types.ts';

interface Archive {
  readonly wallet: string;
  readonly rows: ArchiveRows;
  readonly replaces: boolean;
}

/**
 * Writes the rows of an archive in the transaction of the caller, after its bytes have been stored.
 * @throws the database's violation of `asset_storage_quota`
 */
export async function insertArchive(
  tx: Queryable,
  { wallet, rows, replaces }: Archive,
): Promise<Pick<Imported, 'skippedKeys'> & { counts: Omit<Imported['counts'], 'records'> }> {
  const counts = { assets: 0, unchanged: 0, skipped: 0, versions: 0 };
  const skippedKeys: string[] = [];
  for (const assets of rows.assets)
    for (const { key, outcome } of await insertAssets(tx, { wallet, assets, replaces })) {
      counts[outcome] += 1;
      if (outcome === 'skipped' && skippedKeys.length < SKIPPED_KEYS_SHOWN) skippedKeys.push(key);
    }
  for (const versions of rows.versions) counts.versions += await insertVersions(tx, { wallet, versions });
  return { counts, skippedKeys };
}
