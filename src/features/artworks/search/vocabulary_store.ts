import type { Queryable } from '../../../core/database/types.ts';
import { VOCABULARY_READ_ROWS, type VocabularyName } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';

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
  /** Number of different values. */
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
 * Counts the values of a field in an edition, in a museum, or in some works. Reads a stretch of the works at a time: a statement over a
 * million works takes seconds, in which the embedded database would answer nothing else.
 */
export async function countTerms(
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
