import type { Queryable } from '../../../core/database/types.ts';
import { type FieldWords, subjectWords } from './fields.ts';
import { dropLetters } from './misspelling.ts';
import { insertWords } from './search_store.ts';

/** Words a statement: on the embedded database everybody waits for it, and each word goes into an index in a dozen forms. */
const WORDS_AT_A_TIME = 250;

/** Words of works that people may mistype, counted in memory: nearly all come in many works, and each is written once. */
export interface Vocabulary {
  /** How many words are counted. */
  readonly size: number;
  add(fields: readonly FieldWords[]): void;
  /** Adds what was counted to the words of the dataset, and begins anew. */
  write(database: Queryable): Promise<void>;
}

export function createVocabulary(): Vocabulary {
  const works = new Map<string, number>();
  return {
    get size() {
      return works.size;
    },
    add(fields) {
      for (const word of subjectWords(fields)) works.set(word, (works.get(word) ?? 0) + 1);
    },
    async write(database) {
      const rows = [...works].filter(([word]) => mayBeMistyped(word));
      works.clear();
      for (let at = 0; at < rows.length; at += WORDS_AT_A_TIME) {
        const some = rows.slice(at, at + WORDS_AT_A_TIME);
        await insertWords(
          database,
          some.map(([word, count]) => ({ word, works: count, shortened: dropLetters(word) })),
        );
      }
    },
  };
}

const mayBeMistyped = (word: string): boolean =>
  word.length >= 4 && word.length <= 24 && /^\p{L}+$/u.test(word);
