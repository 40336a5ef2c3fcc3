import type { Queryable } from '../../../database/index.ts';
import type { MuseumName } from '../../../museums.ts';
import type { ParsedQuery } from '../search/parse_query.ts';
import { readQuery, withMark } from '../search/search_store.ts';
import { museumMark } from '../search/searchable.ts';

/** What has to hold of a work's words, as a tsquery in text; empty where nothing has to. */
export async function wordsCondition(
  database: Queryable,
  { groups, excluded }: Pick<ParsedQuery, 'groups' | 'excluded'>,
  museum: MuseumName | undefined,
): Promise<string> {
  const wanted = await readQuery(database, groups, excluded);
  const unwanted = wanted === '' && excluded.length > 0 ? await readQuery(database, [excluded], []) : '';
  const words = unwanted ? `!(${unwanted})` : wanted;
  return museum ? withMark(words, museumMark(museum)) : words;
}
