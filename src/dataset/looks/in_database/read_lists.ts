import { HASH_DISTANCE_MAX } from '../../../limits.ts';
import type { Answers, IndexParts } from '../../search/in_database/ask_parts.ts';
import { BLOCK_TABLES, HASH_TABLES } from './block_store.ts';

/** Some colours of one list, of one part. */
export interface BlockRow {
  readonly part: number;
  readonly id: number;
  readonly list: number;
  /** Where its list is among those asked for, from 1. */
  readonly place: number;
  readonly packed: Uint8Array;
}

interface Wanted {
  readonly generation: number;
  /** What matters most first. */
  readonly lists: readonly number[];
  /** Of each part so many colours are read, and those that are in a block with the last of them. */
  readonly postings: number;
}

export const readLists = (
  parts: IndexParts,
  { generation, lists, postings }: Wanted,
): Promise<Answers<BlockRow>> =>
  parts.ask(BLOCK_TABLES, {
    text: (table) =>
      `select part, id, list, place, packed from (
         select block.tableoid::bigint as part, id, list, place, packed, sum(postings) over (order by place, id) - postings as before
         from unnest($2::integer[]) with ordinality as wanted (list, place) join ${table} as block using (list)
         where generation = $1
       ) as found where before < $3`,
    values: [generation, lists, postings],
  });

interface Copies {
  readonly generation: number;
  /** 32 bytes each. */
  readonly hashes: readonly Uint8Array[];
  /** Bands of a copy that differ in one bit count, too. */
  readonly isThorough: boolean;
  /** Of each part at most so many, the nearest first. */
  readonly limit: number;
}

/** Numbers of looks whose hash is within HASH_DISTANCE_MAX bits of one of some, and shares a band with it. */
export const readCopies = (
  parts: IndexParts,
  { generation, hashes, isThorough, limit }: Copies,
): Promise<Answers<{ number: number }>> =>
  parts.ask(HASH_TABLES, {
    text: (table) =>
      `with asked as materialized (select ('x' || hex)::bit(256) as pdq from unnest($2::text[]) as hash (hex))
       select number from (
         select number, (select min(bit_count(known.pdq # asked.pdq)) from asked) as bits
         from ${table} as known where generation = $1 and look_bands(known.pdq) && $3::integer[]
       ) as near where bits <= $4 order by bits, number limit $5`,
    values: [
      generation,
      hashes.map((hash) => Buffer.from(hash).toString('hex')),
      [...new Set(hashes.flatMap((hash) => bandsOf(hash, isThorough)))],
      HASH_DISTANCE_MAX,
      limit,
    ],
  });

const BAND_BITS = 16;

/** As look_bands has them. @param isThorough with those one bit away */
function bandsOf(hash: Uint8Array, isThorough: boolean): number[] {
  return Array.from({ length: hash.length / 2 }, (_, band) => {
    const key = (band << BAND_BITS) | (hash[2 * band]! << 8) | hash[2 * band + 1]!;
    const others = Array.from({ length: isThorough ? BAND_BITS : 0 }, (_, bit) => key ^ (1 << bit));
    return [key, ...others];
  }).flat();
}
