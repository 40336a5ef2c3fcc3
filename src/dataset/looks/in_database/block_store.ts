import type { Queryable } from '../../../database/contract.ts';
import { PARTS } from '../../search/in_database/parts.ts';

/** What the lists hold. */
export interface Folded {
  readonly generation: number;
  /** Looks with numbers up to this are in their lists. */
  readonly folded: number;
}

export interface ListsState extends Folded {
  /** The number of the newest look, and how many there are. */
  readonly last: number;
  readonly looks: number;
}

export async function readState(database: Queryable): Promise<ListsState> {
  const [state] = await database.query<ListsState>(
    'select generation, folded, last, looks from artwork_look_lists, artwork_look_count',
  );
  return state!;
}

/** Looks with numbers up to this that no later measurement has replaced. */
export async function countUpTo(database: Queryable, number: number): Promise<number> {
  const [row] = await database.query<{ looks: number }>(
    'select count(*) as looks from artwork_looks where number <= $1',
    [number],
  );
  return row!.looks;
}

/** Says what is in the lists from now on. @returns false where somebody else has said so meanwhile */
export async function publishLists(
  tx: Queryable,
  before: Folded,
  { generation, folded }: Folded,
): Promise<boolean> {
  const rows = await tx.query(
    `update artwork_look_lists set generation = $1, folded = $2 where generation = $3 and folded = $4
     returning folded`,
    [generation, folded, before.generation, before.folded],
  );
  return rows.length > 0;
}

/** What is written of looks is in the part that the remainder of their number says. */
export const BLOCK_TABLES = 'artwork_look_blocks';
export const HASH_TABLES = 'artwork_look_hashes';

/** Takes out the blocks of some lists that have room, so that they are written again with more in them. */
export function takeOpenBlocks(
  tx: Queryable,
  part: number,
  { generation, lists, fewerThan }: { generation: number; lists: readonly number[]; fewerThan: number },
): Promise<{ list: number; packed: Uint8Array }[]> {
  return tx.query(
    `delete from ${BLOCK_TABLES}_${part} where generation = $1 and list = any($2::integer[]) and postings < $3
     returning list, packed`,
    [generation, lists, fewerThan],
  );
}

export async function insertBlocks(
  tx: Queryable,
  part: number,
  generation: number,
  blocks: readonly { list: number; postings: number; packed: Uint8Array }[],
): Promise<void> {
  await tx.query(
    `insert into ${BLOCK_TABLES}_${part} (generation, list, postings, packed)
     select $1, list, postings, decode(packed, 'hex')
     from unnest($2::integer[], $3::integer[], $4::text[]) as block (list, postings, packed)`,
    [
      generation,
      blocks.map(({ list }) => list),
      blocks.map(({ postings }) => postings),
      blocks.map(({ packed }) => Buffer.from(packed).toString('hex')),
    ],
  );
}

/** @param hashes each as 64 hex digits */
export async function insertHashes(
  tx: Queryable,
  part: number,
  generation: number,
  hashes: readonly { number: number; pdq: string }[],
): Promise<void> {
  await tx.query(
    `insert into ${HASH_TABLES}_${part} (generation, number, pdq)
     select $1, number, ('x' || pdq)::bit(256) from unnest($2::bigint[], $3::text[]) as look (number, pdq)`,
    [generation, hashes.map(({ number }) => number), hashes.map(({ pdq }) => pdq)],
  );
}

/** Deletes what nobody asks for. @param generation the one that stays */
export async function deleteOthers(database: Queryable, generation: number): Promise<void> {
  for (const tables of [BLOCK_TABLES, HASH_TABLES])
    for (let part = 0; part < PARTS; part += 1)
      await database.query(`delete from ${tables}_${part} where generation <> $1`, [generation]);
}
