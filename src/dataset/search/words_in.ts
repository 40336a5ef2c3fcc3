import type { Database } from '../../database/contract.ts';
import { createProcessWords } from './in_process.ts';
import type { WordIndex } from './word_index.ts';

const PLACED = new WeakMap<Database, WordIndex>();

/** The index of words of a database: in this process, unless it was placed elsewhere. */
export function wordsIn(database: Database): WordIndex {
  const index = PLACED.get(database) ?? createProcessWords(database);
  PLACED.set(database, index);
  return index;
}

/** From now on the works of a database are found by this index. Said once, when the dataset is opened. */
export function placeWords(database: Database, index: WordIndex): void {
  PLACED.set(database, index);
}
