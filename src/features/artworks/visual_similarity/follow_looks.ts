import type { Database } from '../../../core/database/types.ts';
import { type LookRow, readLooks } from './look_store.ts';
import { type KnownLook, PackedLooks } from './packed_looks.ts';

const ROWS_AT_A_TIME = 2000;

/**
 * Follows looks in memory: each call reads what is new in the database, one reading after the other.
 * @param shipped looks that stand beside those of the database
 * @param after only looks with higher numbers
 */
export function followLooks(
  database: Database,
  shipped: readonly Omit<LookRow, 'number'>[],
  after = 0,
): () => Promise<PackedLooks> {
  const looks = packRows(shipped);
  let last = after;
  let reading: Promise<unknown> = Promise.resolve();
  const read = async () => {
    for (;;) {
      const rows = await readLooks(database, last, ROWS_AT_A_TIME);
      if (rows.length === 0) return looks;
      for (const row of rows) looks.set(knownOf(row));
      last = rows.at(-1)!.number;
    }
  };
  return () => {
    const next = reading.then(read);
    reading = next.catch(() => {});
    return next;
  };
}

/** Looks in memory that nobody follows. */
export function packRows(rows: readonly Omit<LookRow, 'number'>[]): PackedLooks {
  const looks = new PackedLooks();
  for (const row of rows) looks.set(knownOf(row));
  return looks;
}

const knownOf = ({ id, pdq, quality, colors }: Omit<LookRow, 'number'>): KnownLook => ({
  ...{ id, quality },
  pdq: Buffer.from(pdq, 'hex'),
  colors: Buffer.from(colors, 'hex'),
});
