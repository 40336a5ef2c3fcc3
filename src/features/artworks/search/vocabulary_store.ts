import type { Queryable } from '../../../core/database/types.ts';
import type { VocabularyName } from '../limits.ts';
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
  readonly terms: readonly { readonly term: string; readonly works: number }[];
  /** Number of different values. */
  readonly total: number;
}

/** Counts the values of a field in an edition, in a museum, or in some works. */
export async function countTerms(
  database: Queryable,
  edition: number,
  {
    name,
    museum,
    ids,
    limit,
  }: {
    readonly name: VocabularyName;
    readonly museum?: MuseumName | undefined;
    readonly ids?: readonly string[] | undefined;
    readonly limit: number;
  },
): Promise<VocabularyCount> {
  const rows = await database.query<{ term: string; works: number; total: number }>(
    `select term, count(*) as works, count(*) over () as total
     from artworks cross join lateral (${TERMS_OF[name]}) as said
     where added_in <= $1 and removed_in > $1 and term <> ''
       and ($2::text is null or museum = $2) and ($3::text[] is null or id = any($3::text[]))
       and not exists (select 1 from artwork_withdrawals where artwork_withdrawals.id = artworks.id)
     group by term order by works desc, term collate "C" limit $4`,
    [edition, museum ?? null, ids ?? null, limit],
  );
  return { terms: rows.map(({ term, works }) => ({ term, works })), total: rows[0]?.total ?? 0 };
}
