import type { Queryable } from '../../database/contract.ts';
import type { Imported } from './contract.ts';
import { SKIPPED_KEYS_SHOWN } from './limits.ts';

interface Archive {
  readonly wallet: string;
  /** JSON arrays of assets, each for one statement. */
  readonly rows: readonly string[];
  readonly replaces: boolean;
}

/** Writes what an archive holds, in the transaction of the caller; the bytes are there already. */
export async function insertArchive(
  tx: Queryable,
  { wallet, rows: statements, replaces }: Archive,
): Promise<Pick<Imported, 'skippedKeys'> & { counts: Omit<Imported['counts'], 'records'> }> {
  const sums = { assets: 0, unchanged: 0, skipped: 0, versions: 0 };
  const skippedKeys: string[] = [];
  for (const rows of statements) {
    const outcomes = await tx.query<{ key: string; outcome: 'assets' | 'unchanged' | 'skipped' }>(
      'select key, outcome from import_assets($1, $2, $3)',
      [wallet, rows, replaces],
    );
    for (const { key, outcome } of outcomes) {
      sums[outcome] += 1;
      if (outcome === 'skipped' && skippedKeys.length < SKIPPED_KEYS_SHOWN) skippedKeys.push(key);
    }
    const kept = outcomes.filter(({ outcome }) => outcome !== 'skipped').map(({ key }) => key);
    const [row] = await tx.query<{ count: number }>('select import_versions($1, $2, $3) as count', [
      wallet,
      rows,
      kept,
    ]);
    sums.versions += row!.count;
  }
  return { counts: sums, skippedKeys };
}
