import type { VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import type { Database } from '../../../core/database/types.ts';
import { hitsOf, type LookHit } from './look_hit.ts';
import { type LookRow, readLooks } from './look_store.ts';
import { type KnownLook, type LookAsked, PackedLooks, rankLooks } from './rank_looks.ts';

const ROWS_AT_A_TIME = 2000;

/**
 * Follows looks in memory: each call reads what is new in the database, one reading after the other.
 * @param shipped looks that stand beside those of the database
 * @param after only looks with higher numbers
 */
function followLooks(
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

/** In-memory descriptors without a subscription to changes. */
function packRows(rows: readonly Omit<LookRow, 'number'>[]): PackedLooks {
  const looks = new PackedLooks();
  for (const row of rows) looks.set(knownOf(row));
  return looks;
}

const knownOf = ({ id, pdq, quality, colors, layout }: Omit<LookRow, 'number'>): KnownLook => ({
  id,
  quality,
  pdq: Buffer.from(pdq, 'hex'),
  colors: Buffer.from(colors, 'hex'),
  layout: Buffer.from(layout ?? '', 'hex'),
});

/** Works by what their pictures look like. */
export interface LookIndex {
  /** The most similar first. */
  search(asked: LookAsked, among?: Among): Promise<LookHit[]>;
  /** Works whose looks are known; by composition, those whose composition is. */
  size(by?: LookAsked['by']): Promise<number>;
  /** What the picture of a work looks like, as far as it was measured before; its hash is of the picture as it is. */
  known(id: string): Promise<VisualDescriptor | undefined>;
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
    async size(by) {
      const looks = await follow();
      return by === 'composition' ? looks.layoutsKnown : looks.size;
    },
    async known(id) {
      const looks = await follow();
      const at = looks.placeOf(id);
      if (at === undefined) return undefined;
      const { pdq, ...look } = looks.lookOf(at);
      return { ...look, hashes: [pdq] };
    },
  };
}
