import type { Queryable } from '../../../database/index.ts';
import { likeliest, shortened } from './misspelling.ts';
import { type ParsedQuery, parseQuery } from './parse_query.ts';
import { nearWords } from './search_store.ts';

/** Longer and shorter words are not in the list of words. */
const LETTERS_MIN = 4;
const LETTERS_MAX = 24;
/** A word that so few works have may be an error, if it is long and there is one that many times as many have. */
const RARE_WORKS_MAX = 3;
const RARE_LETTERS_MIN = 7;
const TIMES_AS_MANY = 100;

export interface Repaired {
  readonly parsed: ParsedQuery;
  /** The whole query as it may have been meant. */
  readonly didYouMean: string;
}

/**
 * Replaces words the catalogue does not have, or hardly has, by the likeliest it has; undefined where all is well.
 * @param works how many works have each word of the query
 */
export async function repair(
  database: Queryable,
  parsed: ParsedQuery,
  works: ReadonlyMap<string, number>,
): Promise<Repaired | undefined> {
  const doubtful = [...works].filter(
    ([{ length }, having]) =>
      having <= (length < RARE_LETTERS_MIN ? 0 : RARE_WORKS_MAX) &&
      length >= LETTERS_MIN &&
      length <= LETTERS_MAX,
  );
  if (doubtful.length === 0) return undefined;
  const near = await nearWords(database, [...new Set(doubtful.flatMap(([word]) => shortened(word)))]);
  const repairs = new Map<string, string>();
  for (const [word, having] of doubtful) {
    const known = near.find((one) => one.word === word)?.works ?? having;
    const meant = likeliest(
      word,
      known === 0
        ? near
        : near.filter((one) => one.works >= TIMES_AS_MANY * known && one.word[0] === word[0]),
      known === 0 ? undefined : 1,
    );
    if (meant !== undefined) repairs.set(word, meant);
  }
  if (repairs.size === 0) return undefined;
  const repaired = parsed.groups.map(([typed]) =>
    typed!
      .split(' ')
      .map((word) => repairs.get(word) ?? word)
      .join(' '),
  );
  const didYouMean = repaired.join(' ');
  const date = parsed.yearsSaid ? ` ${parsed.yearsSaid}` : '';
  return { parsed: { ...parsed, groups: parseQuery(didYouMean).groups }, didYouMean: didYouMean + date };
}
