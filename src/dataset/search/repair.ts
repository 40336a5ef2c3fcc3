import type { Queryable } from '../../database/contract.ts';
import { dropLetters, likeliest } from './misspelling.ts';
import { type ParsedQuery, parseQuery } from './parse_query.ts';
import { nearWords } from './search_store.ts';

/** Longer and shorter words are not in the list of words. */
const LETTERS_MIN = 4;
const LETTERS_MAX = 24;
/** Where works were found, only a long word that so few works have may be an error. */
const RARE_WORKS_MAX = 3;
const RARE_LETTERS_MIN = 7;
/** How many times as many works the word that was meant has, where works were found and where none were. */
const TIMES_AS_MANY = { found: 100, nothing: 10 };

export interface Repaired {
  readonly parsed: ParsedQuery;
  /** The whole query as it may have been meant. */
  readonly didYouMean: string;
}

/**
 * Replaces words the dataset does not have, or hardly has, by the likeliest it has; undefined where all is well.
 * @param works how many works have each word of the query or its stem
 * @param found whether works were found
 */
export async function repair(
  database: Queryable,
  parsed: ParsedQuery,
  works: ReadonlyMap<string, number>,
  found: boolean,
): Promise<Repaired | undefined> {
  const mayBeWrong = ({ length }: string, having: number) =>
    having === 0 || !found || (length >= RARE_LETTERS_MIN && having <= RARE_WORKS_MAX);
  const doubtful = [...works].filter(
    ([word, having]) => word.length >= LETTERS_MIN && word.length <= LETTERS_MAX && mayBeWrong(word, having),
  );
  if (doubtful.length === 0) return undefined;
  const near = await nearWords(database, [...new Set(doubtful.flatMap(([word]) => dropLetters(word)))]);
  const times = found ? TIMES_AS_MANY.found : TIMES_AS_MANY.nothing;
  const repairs = new Map<string, string>();
  for (const [word, having] of doubtful) {
    const known = Math.max(having, near.find((one) => one.word === word)?.works ?? 0);
    const meant =
      known === 0
        ? likeliest(word, near)
        : likeliest(
            word,
            near.filter((one) => one.works >= times * known && one.word[0] === word[0]),
            1,
          );
    if (meant !== undefined) repairs.set(word, meant);
  }
  if (repairs.size === 0) return undefined;
  const repaired = parsed.groups.map(([typed]) =>
    typed!.text
      .split(' ')
      .map((word) => repairs.get(word) ?? word)
      .join(' '),
  );
  const didYouMean = repaired.join(' ');
  const date = parsed.yearsSaid ? ` ${parsed.yearsSaid}` : '';
  return { parsed: { ...parsed, groups: parseQuery(didYouMean).groups }, didYouMean: didYouMean + date };
}
