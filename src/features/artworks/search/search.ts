import type { Database, Queryable } from '../../../core/database/types.ts';
import { findByNumber } from './find_by_number.ts';
import { DATED } from './match.ts';
import { dropLetters, likeliest } from './misspelling.ts';
import { type ParsedQuery, parseQuery } from './parse_query.ts';
import { nearWords, readRecords } from './search_store.ts';
import { termsLike } from './synonyms.ts';
import type { Found, Search } from './types.ts';
import { whyOf } from './why.ts';
import { NONE_RANKED, wordIndexOf } from './word_index.ts';
import type { LookedUp, Ranked } from './word_index_types.ts';

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

interface Repaired {
  readonly parsed: ParsedQuery;
  /** The whole query as it may have been meant. */
  readonly didYouMean: string;
}

/**
 * Replaces words the dataset does not have, or hardly has, by the likeliest it has; undefined where all is well. Names of makers, words of
 * the table of subjects and words in quotes stay.
 */
async function repair(
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

/**
 * Finds works by a number where the query has one, else by words. Where nothing has them all, typing errors are repaired; where few have, works that have
 * the most follow, rare words, names and dates counting more. The answer says so.
 */
export async function search(database: Database, edition: number, asked: Search): Promise<Found> {
  return (await findByNumber(database, edition, asked)) ?? findByWords(database, edition, asked);
}

async function findByWords(
  database: Database,
  edition: number,
  { query, limit, offset = 0, museum, filters }: Search,
): Promise<Found> {
  const among = { museum, filters };
  const index = wordIndexOf(database);
  const asIs = parseQuery(query);
  const lookup = await index.lookUp(edition, asIs, among);
  const reach = offset + limit;
  const own = await closest(asIs, lookup, reach);
  const repaired = await repair(database, asIs, lookup);
  const again = repaired && (await index.lookUp(edition, repaired.parsed, among));
  const attempt = again ? better(own, await closest(repaired.parsed, again, reach), query) : own;
  const didYouMean = attempt.parsed === repaired?.parsed ? repaired.didYouMean : undefined;
  const shown = attempt.best.slice(offset);
  const records = await readRecords(
    database,
    shown.map(({ number }) => number),
  );
  return {
    hits: shown.flatMap(({ number, found }) => {
      const record = records.get(number);
      if (!record) return [];
      const missing = missingOf(attempt.parsed, found);
      return [{ record, why: whyOf(record, attempt.parsed), ...(missing.length > 0 && { missing }) }];
    }),
    total: attempt.total,
    facets: attempt.facets,
    ...(filters && { leftOut: attempt.leftOut }),
    relaxed: attempt.relaxed,
    ...(didYouMean !== undefined && { didYouMean }),
  };
}

interface Attempt extends Ranked {
  readonly parsed: ParsedQuery;
  readonly relaxed: readonly string[];
  /** How many have all of it. */
  readonly whole: number;
}

/** Works that have all of it. Where neither words nor filters ask for anything, that is none. */
async function rankWorks(parsed: ParsedQuery, lookup: LookedUp, limit: number): Promise<Attempt> {
  const isAsked = lookup.worth.length > 0 || lookup.hasYears || lookup.isFiltered;
  const ranked = isAsked ? await lookup.rank(limit) : NONE_RANKED;
  return { ...ranked, parsed, relaxed: [], whole: ranked.total };
}

/** A page with fewer works that have all of it is filled with works that have some. */
const FILLED = 10;
/** Works that have less than this share of what is asked for, or of the most any work has, are no answer. */
const SHARE_MIN = 0.4;
const OF_MOST_MIN = 0.7;

/** Repaired where that finds more works that have all of it; the answer says first that nothing is as it was typed, and how to ask for that. */
function better(own: Attempt, repaired: Attempt, query: string): Attempt {
  if (repaired.whole <= own.whole && (own.total > 0 || repaired.total === 0)) return own;
  const found = own.whole === 0 ? 'nothing' : `only ${own.whole}`;
  const typed = query.replace(/"/g, '');
  const said = `${found} under "${typed}" as typed; in quotes it is searched for as it is`;
  return { ...repaired, relaxed: [said, ...repaired.relaxed] };
}

/** Works that have all of it and, where these are few, those that have the most of it by what its words are worth. */
async function closest(parsed: ParsedQuery, lookup: LookedUp, limit: number): Promise<Attempt> {
  const whole = await rankWorks(parsed, lookup, limit);
  const asked = lookup.worth.length + (lookup.hasYears ? 1 : 0);
  if (whole.total >= Math.min(limit, FILLED) || asked < 2 || lookup.worth.length === 0) return whole;
  const share =
    whole.total > 0 ? SHARE_MIN : Math.min(SHARE_MIN, OF_MOST_MIN * (await lookup.largestShare()));
  if (share === 0) return whole;
  const some = await lookup.rank(limit, share);
  if (some.total === whole.total) return whole;
  return {
    ...whole,
    ...some,
    // What filters leave out of works that have it all is worth more to know.
    leftOut: whole.leftOut.works > 0 ? whole.leftOut : some.leftOut,
    relaxed: [whole.total > 0 ? describeFilled(whole.total) : describeOmitted(parsed, some)],
  };
}

const describeFilled = (works: number): string =>
  `${works === 1 ? 'only one work has' : `only ${works} works have`} all of it; others follow, and why says what they are without`;

/** Says what the works shown are without. */
function describeOmitted(parsed: ParsedQuery, { best }: Ranked): string {
  const [first] = best;
  if (best.some(({ found }) => found !== first!.found))
    return 'nothing has all of it; works with the most of it are shown, and why says what they are without';
  const missing = missingOf(parsed, first!.found);
  return `${missing.join(' and ')} ${missing.length > 1 ? 'were' : 'was'} left out`;
}

/** What of a query a work does not have, as it was typed. */
function missingOf({ groups, yearsSaid }: ParsedQuery, found: number): string[] {
  const names = [
    ...groups.map(([first]) => `"${first!.text}"`),
    ...(yearsSaid ? [`the date "${yearsSaid}"`] : []),
  ];
  return names.filter((_, at) => !(found & (at < groups.length ? 1 << at : DATED)));
}
