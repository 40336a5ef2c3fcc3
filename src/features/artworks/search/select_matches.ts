import type { Database } from '../../../core/database/types.ts';
import type { ParsedQuery } from './parse_query.ts';
import type { Among } from './types.ts';
import { wordIndexOf } from './word_index.ts';
import type { Fitting } from './word_index_types.ts';

/**
 * Of these work numbers, those that are from the museum, pass the filters and match every word and date and
 * no exclusion. Conditions are never relaxed.
 */
export async function selectMatches(
  database: Database,
  edition: number,
  asked: ParsedQuery,
  among: Among,
  works: Iterable<number>,
): Promise<Fitting> {
  const found = await wordIndexOf(database).lookUp(edition, asked, among);
  return found.fit(new Set(works));
}
