import { unpackColors } from '@atelier/engines/look/look.ts';
import type { Database, Queryable } from '../../../database/contract.ts';
import { HASH_QUALITY_MIN } from '../../../limits.ts';
import { createLeases } from '../../../services/leases/leases.ts';
import { partOf } from '../../search/in_database/parts.ts';
import { type LookRow, readLooks } from '../look_store.ts';
import {
  countUpTo,
  deleteOthers,
  type Folded,
  insertBlocks,
  insertHashes,
  publishLists,
  readState,
  takeOpenBlocks,
} from './block_store.ts';
import { POSTING_BYTES, packPosting } from './color_lists.ts';

/** Looks put into lists in one transaction: many touch each list once; on the embedded database everybody waits for one. */
const FOLDED_AT_A_TIME = { embedded: 4096, postgresql: 16_384 };
/** The most colours in a block. */
const BLOCK_POSTINGS = 1024;
/** As many numbers in the lists for each look that is still there make it worth while to begin anew. */
const STALE_TIMES = 2;

/**
 * Puts the looks that came since into the lists of their colours and the bands of their hashes. One process does it at a time; what was
 * done stays done. @returns false where somebody else does it
 */
export async function foldLooks(database: Database): Promise<boolean> {
  const lost = new AbortController();
  const letGo = await createLeases(database).hold('looks in lists', () => lost.abort());
  if (!letGo) return false;
  try {
    const state = await readState(database);
    const isStale = state.folded > STALE_TIMES * Math.max(1, await countUpTo(database, state.folded));
    await (isStale ? foldAnew : foldOn)(database, state, lost.signal);
    return true;
  } finally {
    await letGo();
  }
}

/** Each lot is searched as soon as it is written. */
async function foldOn(database: Database, state: Folded, signal: AbortSignal): Promise<void> {
  for (let before = state; ; ) {
    signal.throwIfAborted();
    const rows = await readLooks(database, before.folded, FOLDED_AT_A_TIME[database.kind]);
    if (rows.length === 0) return;
    const after = { ...before, folded: rows.at(-1)!.number };
    await database.transaction(async (tx) => {
      await writeLooks(tx, state.generation, rows);
      await publish(tx, before, after);
    });
    before = after;
  }
}

/** Nobody reads the new generation before it is whole. */
async function foldAnew(database: Database, state: Folded, signal: AbortSignal): Promise<void> {
  // An earlier try may have left some of it.
  await deleteOthers(database, state.generation);
  const generation = state.generation + 1;
  let folded = 0;
  for (;;) {
    signal.throwIfAborted();
    const rows = await readLooks(database, folded, FOLDED_AT_A_TIME[database.kind]);
    if (rows.length === 0) break;
    await database.transaction((tx) => writeLooks(tx, generation, rows));
    folded = rows.at(-1)!.number;
  }
  await publish(database, state, { generation, folded });
  await deleteOthers(database, generation);
}

/** @throws Error, which takes back what was written, where a process that took this one for dead has gone on instead */
async function publish(tx: Queryable, before: Folded, after: Folded): Promise<void> {
  if (!(await publishLists(tx, before, after))) throw new Error('Another process has put looks into lists.');
}

async function writeLooks(tx: Queryable, generation: number, rows: readonly LookRow[]): Promise<void> {
  for (const [part, looks] of Map.groupBy(rows, ({ number }) => partOf(number)))
    await writePart(tx, part, generation, looks);
}

async function writePart(
  tx: Queryable,
  part: number,
  generation: number,
  looks: readonly LookRow[],
): Promise<void> {
  const postings = looks.flatMap(({ number, colors }) =>
    unpackColors(Buffer.from(colors, 'hex')).map((color) => packPosting(number, color)),
  );
  const byList = Map.groupBy(postings, ({ list }) => list);
  const open = await takeOpenBlocks(tx, part, {
    ...{ generation, lists: [...byList.keys()] },
    fewerThan: BLOCK_POSTINGS / 2,
  });
  const openOf = Map.groupBy(open, ({ list }) => list);
  const blocks = [...byList].flatMap(([list, added]) =>
    blocksOf(
      list,
      [...(openOf.get(list) ?? []), ...added].map(({ packed }) => packed),
    ),
  );
  await insertBlocks(tx, part, generation, blocks);
  await insertHashes(
    tx,
    part,
    generation,
    looks.filter(({ quality }) => quality >= HASH_QUALITY_MIN),
  );
}

function blocksOf(list: number, packed: readonly Uint8Array[]) {
  const all = Buffer.concat(packed);
  const size = BLOCK_POSTINGS * POSTING_BYTES;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => {
    const some = all.subarray(at * size, (at + 1) * size);
    return { list, postings: some.length / POSTING_BYTES, packed: some };
  });
}
