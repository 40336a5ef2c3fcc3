import type { Queryable } from '../../../core/database/types.ts';
import { dropLetters, likeliest } from './misspelling.ts';
import { type ParsedQuery, parseQuery } from './parse_query.ts';
import { nearWords } from './search_store.ts';
import { termsLike } from './synonyms.ts';
import type { LookedUp } from './word_index_types.ts';

/** Longer and shorter words are not in the list of words. */
const LETTERS_MIN = 4;
const LETTERS_MAX = 24;
/** A long word that so few works have may be an error of theirs, where so many times as many have another. */
const RARE_WORKS_MAX = 3;
const RARE_LETTERS_MIN = 7;
const TIMES_AS_MANY = 100;
/** What is repaired has to become a word that one work in so many has, and at least so many. */
const FREQUENT_SHARE = 1 / 20_000;
const FREQUENT_MIN = 2;
/** In a query of so few words each may be a name: a short one is left alone. */
const FEW_WORDS = 2;
const FEW_LETTERS_MIN = 5;
/** From so many letters on a word may have two errors. */
const TWO_ERRORS_LETTERS_MIN = 8;

export interface Repaired {
  readonly parsed: ParsedQuery;
  /** The whole query as it may have been meant. */
  readonly didYouMean: string;
}

/**
 * Replaces words the dataset does not have, or hardly has, by the likeliest it has; undefined where all is well. Names of makers, words of
 * the table of subjects and words in quotes stay.
 */
export async function repair(
  database: Queryable,
  parsed: ParsedQuery,
  { words, names, works }: Pick<LookedUp, 'words' | 'names' | 'works'>,
): Promise<Repaired | undefined> {
  const lettersMin = words.size <= FEW_WORDS ? FEW_LETTERS_MIN : LETTERS_MIN;
  const doubtful = [...words].filter(
    ([word, having]) =>
      word.length >= lettersMin &&
      word.length <= LETTERS_MAX &&
      !names.has(word) &&
      (having === 0 || (word.length >= RARE_LETTERS_MIN && having <= RARE_WORKS_MAX)),
  );
  if (doubtful.length === 0) return undefined;
  const frequent = Math.max(FREQUENT_MIN, works * FREQUENT_SHARE);
  const near = await nearWords(
    database,
    doubtful.map(([word]) => word),
    [...new Set(doubtful.flatMap(([word]) => dropLetters(word)))],
  );
  const repairs = new Map<string, string>();
  for (const [word, having] of doubtful) {
    const known = Math.max(having, near.find((one) => one.word === word)?.works ?? 0);
    const candidates = near.filter((one) => one.works >= Math.max(frequent, TIMES_AS_MANY * known));
    const terms = known === 0 ? termsLike(word).map((term) => ({ word: term, works: frequent })) : [];
    const errorsMax = known === 0 && word.length >= TWO_ERRORS_LETTERS_MIN ? 2 : 1;
    const meant = likeliest(word, [...candidates, ...terms], errorsMax);
    if (meant !== undefined && meant !== word) repairs.set(word, meant);
  }
  if (repairs.size === 0) return undefined;
  const repaired = parsed.groups.map(([typed]) => {
    const text = typed!.text
      .split(' ')
      .map((word) => repairs.get(word) ?? word)
      .join(' ');
    return typed!.isQuoted ? `"${typed!.text}"` : text;
  });
  const didYouMean = repaired.join(' ');
  const date = parsed.yearsSaid ? ` ${parsed.yearsSaid}` : '';
  return { parsed: { ...parsed, groups: parseQuery(didYouMean).groups }, didYouMean: didYouMean + date };
}
