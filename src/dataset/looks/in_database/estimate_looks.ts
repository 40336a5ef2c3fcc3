import { setImmediate as letOthersRun } from 'node:timers/promises';
import { cellOf, POSTING_BYTES, SHARE_OF } from './color_lists.ts';
import { tableOf } from './lists_to_read.ts';
import type { LookQuestion } from './look_questions.ts';

/** A question whose lists were read. */
export interface AskedLists {
  readonly question: LookQuestion;
  /** What a colour counts that is in none of the lists that were read; 0 where all were. */
  readonly unread: number;
}

export interface Block {
  readonly list: number;
  readonly packed: Uint8Array;
}

/** Colours taken into account before others get their turn: a few milliseconds. */
const POSTINGS_AT_A_TIME = 50_000;

/**
 * Puts looks in order by the colours that blocks have of them.
 * @returns their numbers, the likest first; not those that lack a colour for sure
 */
export async function estimateLooks(
  asked: readonly AskedLists[],
  blocks: readonly Block[],
  limit: number,
): Promise<number[]> {
  const places = new Map<number, number>();
  const width = asked.reduce((sum, { question }) => sum + question.columns.length, 0);
  const kept = new Float32Array(
    width * blocks.reduce((sum, { packed }) => sum + packed.length / POSTING_BYTES, 0),
  );
  const readersOf = createReaders(asked);
  let taken = 0;
  for (const { list, packed } of blocks) {
    const readers = readersOf(cellOf(list));
    const head = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    for (let at = 0; at < packed.length; at += POSTING_BYTES) {
      const number = head.getUint32(at, true);
      const place = places.get(number) ?? places.size;
      if (place === places.size) places.set(number, place);
      const share = SHARE_OF[packed[at + 5]!]!;
      for (const read of readers) read(kept, place * width, packed[at + 4]!, share);
    }
    taken += packed.length / POSTING_BYTES;
    if (taken > POSTINGS_AT_A_TIME) {
      taken = 0;
      await letOthersRun();
    }
  }
  return likest([...places.keys()], ranksOf(asked, kept, places.size), limit);
}

/** Adds a colour, by its place in a cell, to the numbers that are kept of its look. */
type Reader = (kept: Float32Array, from: number, within: number, share: number) => void;

/** One for each question; tables of cells are made once. */
function createReaders(asked: readonly AskedLists[]): (cell: number) => readonly Reader[] {
  const known = new Map<number, readonly Reader[]>();
  const make = (cell: number) => {
    let first = 0;
    return asked.map(({ question }): Reader => {
      const begin = first;
      const columns = question.columns.length;
      first += columns;
      const table = tableOf(question, cell);
      const isSum = question.columns.map(({ of }) => of === 'sum');
      return (kept, from, within, share) => {
        for (let column = 0; column < columns; column += 1) {
          const count = table[within * columns + column]!;
          const at = from + begin + column;
          if (isSum[column]) kept[at]! += share * count;
          else if (count > kept[at]!) kept[at] = count;
        }
      };
    });
  };
  return (cell) => {
    const readers = known.get(cell) ?? make(cell);
    known.set(cell, readers);
    return readers;
  };
}

/**
 * A colour that lies in no list that was read is seldom in the first unread one, mostly nowhere: at its full worth, looks with two of
 * five colours crowded out those with all.
 */
const UNREAD_PART = 0.25;

/** About the rank that `rankLooks` gives; Infinity where a colour is missing. */
function ranksOf(asked: readonly AskedLists[], kept: Float32Array, looks: number): Float32Array {
  const colors = asked.filter(({ question }) => question.kind === 'color').length;
  const columns = asked.reduce((sum, { question }) => sum + question.columns.length, 0);
  return Float32Array.from({ length: looks }, (_, place) => {
    let column = place * columns;
    let [product, rank] = [1, 0];
    for (const { question, unread } of asked) {
      let score = 0;
      for (const { weight } of question.columns) {
        score += weight * kept[column]!;
        column += 1;
      }
      if (question.kind === 'color') product *= score || unread * UNREAD_PART;
      else rank += question.reach - score / 2;
    }
    if (product === 0) return Number.POSITIVE_INFINITY;
    return colors === 0 ? rank : rank + 1 - product ** (1 / colors);
  });
}

function likest(numbers: readonly number[], ranks: Float32Array, limit: number): number[] {
  const there = Uint32Array.from(ranks.keys()).filter((place) => ranks[place]! < Number.POSITIVE_INFINITY);
  const worst = Float32Array.from(there, (place) => ranks[place]!).sort()[Math.min(limit, there.length) - 1];
  if (worst === undefined) return [];
  const near = [...there].filter((place) => ranks[place]! <= worst);
  return near
    .sort((one, other) => ranks[one]! - ranks[other]!)
    .slice(0, limit)
    .map((place) => numbers[place]!);
}
