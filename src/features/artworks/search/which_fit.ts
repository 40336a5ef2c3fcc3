import type { Database } from '../../../core/database/types.ts';
import type { ParsedQuery } from './parse_query.ts';
import type { Among } from './types.ts';
import { wordIndexOf } from './word_index.ts';
import type { Fitting } from './word_index_types.ts';

/**
 * Which of these works, by their numbers, are of the museum, pass the filters and have every word and date that is asked for and nothing
 * that is excluded. Nothing is given up to find more.
 */
export async function whichFit(
  database: Database,
  edition: number,
  asked: ParsedQuery,
  among: Among,
  works: Iterable<number>,
): Promise<Fitting> {
  const found = await wordIndexOf(database).lookUp(edition, asked, among);
  return found.fit(new Set(works));
}
