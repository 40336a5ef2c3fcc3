import type { VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import type { Database } from '../../../core/database/types.ts';
import { type DescriptorHit, hitsOf } from './descriptor_hit.ts';
import { type DescriptorRow, readDescriptors } from './descriptor_store.ts';
import {
  type DescriptorQuery,
  PackedDescriptors,
  rankDescriptors,
  type StoredDescriptor,
} from './rank_descriptors.ts';

const ROWS_AT_A_TIME = 2000;

/**
 * Keeps visual descriptors up to date in memory: each call reads new rows, one read after the other.
 * @param shipped descriptors in addition to those of the database
 * @param after only rows with higher numbers
 */
function followDescriptors(
  database: Database,
  shipped: readonly Omit<DescriptorRow, 'number'>[],
  after = 0,
): () => Promise<PackedDescriptors> {
  const looks = packRows(shipped);
  let last = after;
  let reading: Promise<unknown> = Promise.resolve();
  const read = async () => {
    for (;;) {
      const rows = await readDescriptors(database, last, ROWS_AT_A_TIME);
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

/** Packs descriptors once, without following changes. */
function packRows(rows: readonly Omit<DescriptorRow, 'number'>[]): PackedDescriptors {
  const looks = new PackedDescriptors();
  for (const row of rows) looks.set(knownOf(row));
  return looks;
}

const knownOf = ({ id, pdq, quality, colors, layout }: Omit<DescriptorRow, 'number'>): StoredDescriptor => ({
  id,
  quality,
  pdq: Buffer.from(pdq, 'hex'),
  colors: Buffer.from(colors, 'hex'),
  layout: Buffer.from(layout ?? '', 'hex'),
});

/** Index of works by visual descriptor. */
export interface DescriptorIndex {
  /** Most similar first. */
  search(asked: DescriptorQuery, among?: Among): Promise<DescriptorHit[]>;
  /** Number of works with a descriptor; by composition, of those with a layout. */
  size(by?: DescriptorQuery['by']): Promise<number>;
  /** Stored descriptor of a work; its only hash is of the upright image. */
  known(id: string): Promise<VisualDescriptor | undefined>;
}

interface Among {
  /** Maximum number of works; absent: all similar ones. */
  readonly limit?: number;
  /** Only works with these ids. */
  readonly ids?: ReadonlySet<string>;
}

/** A descriptor that is part of the program. */
export type BundledDescriptor = Omit<DescriptorRow, 'number'>;

/** Holds all descriptors in memory, follows the database rows and compares exhaustively: exact. */
export function createDescriptorIndex(
  database: Database,
  shipped: readonly BundledDescriptor[],
): DescriptorIndex {
  const follow = followDescriptors(database, shipped);
  return {
    async search(asked, { limit, ids } = {}) {
      const looks = await follow();
      const places = ids && [...ids].flatMap((id) => looks.placeOf(id) ?? []);
      return hitsOf(looks, asked, (await rankDescriptors(looks, asked, places)).slice(0, limit));
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
