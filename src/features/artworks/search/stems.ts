import type { Queryable } from '../../../core/database/types.ts';
import type { Language } from './fields.ts';

const KEPT_MAX = 200_000;

/** The stem of a word, or the word itself where it has none. */
export type Stemmer = (word: string) => string;

/** Stems of words as PostgreSQL's own dictionaries have them, each asked for once. */
export function createStems(database: Queryable) {
  const kept = new Map<Language, Map<string, string>>();
  return {
    /** A stemmer for these words. */
    async of(language: Language, words: Iterable<string>): Promise<Stemmer> {
      const known = kept.get(language);
      const stems = known && known.size <= KEPT_MAX ? known : new Map<string, string>();
      kept.set(language, stems);
      const missing = new Set<string>();
      for (const word of words) if (!stems.has(word)) missing.add(word);
      if (missing.size > 0) {
        const rows = await database.query<{ word: string; stem: string | null }>(
          `select word, (ts_lexize('${language}_stem', word))[1] as stem from unnest($1::text[]) as word`,
          [[...missing]],
        );
        // The dictionary leaves out words such as "the"; here they are words like any other.
        for (const { word, stem } of rows) stems.set(word, stem ?? word);
      }
      return (word) => stems.get(word) ?? word;
    },
  };
}

export type Stems = ReturnType<typeof createStems>;
