import { createBoundedCache } from '../../../core/bounded_cache.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { VOCABULARY_READ_ROWS, type VocabularyName } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import { type FieldWords, subjectWords } from './fields.ts';
import { insertWords } from './search_store.ts';

/**
 * Words per statement: a statement blocks the embedded database, and each word adds a dozen forms to an
 * index.
 */
const WORDS_AT_A_TIME = 250;

/** Words for typo correction, counted in memory: nearly all occur in many works, and each is written once. */
export interface Vocabulary {
  /** Number of distinct words. */
  readonly size: number;
  add(fields: readonly FieldWords[]): void;
  /** Adds the counts to the database, and resets them. */
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

export interface VocabularyQuery {
  readonly name: VocabularyName;
  readonly museum?: MuseumName | undefined;
  /** Counts only these works. Absent: the whole edition. */
  readonly ids?: readonly string[] | undefined;
  readonly limit: number;
}

/** Cached counts of whole editions, which never change: a list takes about 3 kB. */
const REMEMBERED = 256;

/**
 * Lists the values of a field with the number of works for each. Concurrent requests for one list share the
 * counting.
 */
export function createVocabularies(database: Database) {
  const remembered = createBoundedCache<VocabularyCount>(REMEMBERED, () => 1);
  const counting = new Map<string, Promise<VocabularyCount>>();
  return async (edition: number, asked: VocabularyQuery): Promise<VocabularyCount> => {
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

/** Selects the values of a work, each once. */
const TERMS_OF: Record<VocabularyName, string> = {
  artist: `select distinct maker->>'name' as term from jsonb_array_elements(record->'artists') as maker`,
  subject: `select distinct term from jsonb_array_elements_text(record->'tags') as tag (term)`,
  place: `select record->>'culture' as term`,
  kind: `select record->>'classification' as term`,
  department: `select record->>'department' as term`,
};

export interface VocabularyCount {
  /** The most frequent first. */
  readonly terms: readonly TermCount[];
  /** Number of distinct values. */
  readonly total: number;
}

interface TermCount {
  readonly term: string;
  readonly works: number;
}

interface Counted {
  readonly name: VocabularyName;
  readonly museum?: MuseumName | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * Counts the values of a field in an edition, in a museum, or in given works. Works in batches: a statement
 * over a million works takes seconds, during which the embedded database would answer nothing else.
 */
async function countTerms(
  database: Queryable,
  edition: number,
  { name, museum, ids, limit }: Counted,
): Promise<VocabularyCount> {
  const [numbers] = await database.query<{ first: number | null; last: number | null }>(
    'select min(number) as first, max(number) as last from artworks',
  );
  const { first, last } = numbers!;
  const works = new Map<string, number>();
  if (first === null || last === null) return { terms: [], total: 0 };
  const step = ids ? last - first + 1 : VOCABULARY_READ_ROWS;
  for (let from = first; from <= last; from += step) {
    const counted = await database.query<TermCount>(
      `select term, count(*) as works
       from artworks cross join lateral (${TERMS_OF[name]}) as said
       where number >= $4 and number < $5 and added_in <= $1 and removed_in > $1 and term <> ''
         and ($2::text is null or museum = $2) and ($3::text[] is null or id = any($3::text[]))
         and not exists (select 1 from artwork_withdrawals where artwork_withdrawals.id = artworks.id)
       group by term`,
      [edition, museum ?? null, ids ?? null, from, from + step],
    );
    for (const one of counted) works.set(one.term, (works.get(one.term) ?? 0) + one.works);
  }
  const terms = [...works].map(([term, count]) => ({ term, works: count }));
  terms.sort((one, other) => other.works - one.works || (one.term < other.term ? -1 : 1));
  return { terms: terms.slice(0, limit), total: terms.length };
}

/** The word itself, and its forms with one letter removed. */
export const dropLetters = (word: string): string[] => [
  ...new Set([word, ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))]),
];

/**
 * Edit distance: insertions, deletions, substitutions and transpositions (Damerau-Levenshtein, optimal string
 * alignment).
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

/** The likeliest intended word: fewest errors, then most works. Undefined if none is near. */
export function likeliest(
  typed: string,
  candidates: readonly { readonly word: string; readonly works: number }[],
  errorsMax: number,
): string | undefined {
  const ranked = candidates
    .map(({ word, works }) => ({ word, works, errors: editDistance(typed, word) }))
    .filter(({ errors }) => errors <= errorsMax)
    .sort(
      (a, b) =>
        a.errors - b.errors ||
        Number(b.word[0] === typed[0]) - Number(a.word[0] === typed[0]) ||
        b.works - a.works,
    );
  return ranked[0]?.word;
}
