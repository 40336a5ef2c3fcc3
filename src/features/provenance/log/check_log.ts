import { grow, leafHash, type NodePlace } from '@atelier/imaging/provenance/merkle/tree.ts';
import type { Queryable } from '../../../core/database/types.ts';
import * as store from './store.ts';

/** Leaves per batch. */
const BATCH = 1000;

const keyOf = ({ level, index }: NodePlace): string => `${level}/${index}`;

/**
 * Rebuilds the tree from the entries and compares every node. Keeps the last node of each level and one batch in memory.
 * @throws Error naming the first inconsistency
 */
export async function checkLog(database: Queryable): Promise<void> {
  const size = await store.selectSize(database);
  const last = new Map<number, { index: number; hash: Uint8Array }>();
  for (let start = 0; start < size; start += BATCH) {
    const count = Math.min(BATCH, size - start);
    const entries = await store.selectLeaves(database, start, count);
    if (entries.length < count || entries.some(({ index }, offset) => index !== start + offset))
      throw new Error(`The log has ${size} leaves, but some from ${start} on are missing.`);
    const hashes = entries.map(({ entry }) => leafHash(Buffer.from(entry)));
    const made = grow(start, hashes, ({ level, index }) => {
      const node = last.get(level);
      if (node?.index !== index) throw new Error(`The log lacks the node ${keyOf({ level, index })}.`);
      return node.hash;
    });
    for (const { place, hash } of made) last.set(place.level, { index: place.index, hash });
    await requireNodes(database, made);
  }
  if ((await store.selectLeaves(database, size, 1)).length > 0)
    throw new Error(`The log has more leaves than the ${size} it counts.`);
}

async function requireNodes(
  database: Queryable,
  made: readonly { place: NodePlace; hash: Uint8Array }[],
): Promise<void> {
  const rows = await store.selectNodes(
    database,
    made.map(({ place }) => place),
  );
  const kept = new Map(rows.map((row) => [keyOf(row), row.hash]));
  for (const { place, hash } of made) {
    if (kept.get(keyOf(place)) !== Buffer.from(hash).toString('hex'))
      throw new Error(`The node ${keyOf(place)} of the log does not match its leaves.`);
  }
}
