import type { Database } from '../../../core/database/types.ts';
import { followLooks } from './follow_looks.ts';
import { hitsOf, type LookHit } from './look_hit.ts';
import type { LookRow } from './look_store.ts';
import { type LookAsked, rankLooks } from './rank_looks.ts';

/** Works by what their pictures look like. */
export interface LookIndex {
  /** The most similar first. */
  search(asked: LookAsked, among?: Among): Promise<LookHit[]>;
  /** Works whose looks are known. */
  size(): Promise<number>;
}

interface Among {
  /** The most works to find; absent: all that are like it. */
  readonly limit?: number;
  /** Only works with these ids. */
  readonly ids?: ReadonlySet<string>;
}

/** A look that is known without anybody having measured it here. */
export type ShippedLook = Omit<LookRow, 'number'>;

/** Keeps every look in memory, follows the rows of the database and compares one by one: exact. */
export function createLookIndex(database: Database, shipped: readonly ShippedLook[]): LookIndex {
  const follow = followLooks(database, shipped);
  return {
    async search(asked, { limit, ids } = {}) {
      const looks = await follow();
      const places = ids && [...ids].flatMap((id) => looks.placeOf(id) ?? []);
      return hitsOf(looks, asked, (await rankLooks(looks, asked, places)).slice(0, limit));
    },
    size: async () => (await follow()).size,
  };
}
