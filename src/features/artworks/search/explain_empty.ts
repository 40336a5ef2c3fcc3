import { fold, wordsOf } from './fold.ts';
import { parseQuery } from './parse_query.ts';

/** Scripts that catalogues or the table of subjects use. */
const SEARCHED = /[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{N}]/u;

/** Why a query finds nothing whatever the records say, as a sentence; undefined where records decide. */
export function explainEmpty(query: string): string | undefined {
  if (query === '') return undefined;
  if (wordsOf(fold(query)).length === 0)
    return 'query has no letters or digits, so nothing was searched for. Send words, a number of a work or a date.';
  const { groups, years } = parseQuery(query);
  if (groups.length === 0 && !years)
    return 'query only excludes words, so nothing was searched for. Add what works should show.';
  if (!SEARCHED.test(query))
    return 'query is in a script that the catalogues do not use. Send it in English, Dutch, French, German, Spanish, Italian or Japanese.';
  return undefined;
}
