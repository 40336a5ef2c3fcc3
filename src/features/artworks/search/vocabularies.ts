import { createBoundedCache } from '../../../core/bounded_cache.ts';
import type { Database } from '../../../core/database/types.ts';
import type { VocabularyName } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import { countTerms, type VocabularyCount } from './vocabulary_store.ts';

export interface VocabularyAsked {
  readonly name: VocabularyName;
  readonly museum?: MuseumName | undefined;
  /** Counts only these works. Absent: all of the edition. */
  readonly ids?: readonly string[] | undefined;
  readonly limit: number;
}

/** Counts of a whole edition, which never change: a list is about 3 kB. */
const REMEMBERED = 256;

/** Lists the values of a field with the number of works that have each. Clients that ask for one list at once share the counting. */
export function createVocabularies(database: Database) {
  const remembered = createBoundedCache<VocabularyCount>(REMEMBERED, () => 1);
  const counting = new Map<string, Promise<VocabularyCount>>();
  return async (edition: number, asked: VocabularyAsked): Promise<VocabularyCount> => {
    if (asked.ids) return countTerms(database, edition, asked);
    const key = JSON.stringify([edition, asked.name, asked.museum, asked.limit]);
    const known = remembered.get(key) ?? counting.get(key);
    if (known) return known;
    const count = countTerms(database, edition, asked).finally(() => counting.delete(key));
    counting.set(key, count);
    const counted = await count;
    remembered.set(key, counted);
    return counted;
  };
}
