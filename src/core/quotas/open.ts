import type { Database } from '../database/types.ts';
import { createAsking } from './create_asking.ts';
import { KEPT_ROWS_MAX } from './limits.ts';
import { createMemoryCounts } from './memory_counts.ts';
import { createSharedCounts } from './shared_counts.ts';
import { createShares, type SharesOptions } from './shares.ts';
import { countBytes, forgetKept } from './store.ts';
import type { Counts, Shares } from './types.ts';

export interface Kind extends Omit<SharesOptions, 'counts' | 'everybody'> {
  /** How long files are kept, and counted. */
  readonly lifetimeMs: number;
}

export interface OpenShares {
  /** The shares of one kind of files. */
  of(kind: Kind): Shares;
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** Counts in the database where several servers may use it, else in memory; and what forgets old counts, and what ends it. */
export function openShares(database: Database): OpenShares {
  const withCounts = (countsOf: (kind: Kind) => Counts) => (kind: Kind) =>
    createShares({ ...kind, counts: countsOf(kind), everybody: createMemoryCounts(kind) });
  if (database.kind === 'embedded')
    return { of: withCounts(createMemoryCounts), sweep: async () => 0, close: async () => {} };
  const asking = createAsking((asks) => countBytes(database, asks));
  return {
    of: withCounts((kind) => createSharedCounts({ ...kind, asking, alone: createMemoryCounts(kind) })),
    sweep: () => forgetKept(database, KEPT_ROWS_MAX),
    close: () => asking.close(),
  };
}
