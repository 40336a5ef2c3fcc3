import type { Database, Queryable } from '../../../core/database/types.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { fold } from './fold.ts';
import { DATED, hasWords, matchReason } from './match.ts';
import { type ParsedQuery, parseQuery, SENTENCE_MIN } from './parse_query.ts';
import { numbersIn } from './query_years.ts';
import { keyOfNumber, type NumberedRecord, nearWords, readByNumber, readRecords } from './search_store.ts';
import { termsLike } from './synonyms.ts';
import type { Among, Found, Search } from './types.ts';
import { dropLetters, likeliest } from './vocabulary.ts';
import { NONE_RANKED, wordIndexOf } from './word_index.ts';
import type { Fitting, LookedUp, Ranked } from './word_index_types.ts';

/** The vocabulary contains no shorter or longer words. */
const LETTERS_MIN = 4;
const LETTERS_MAX = 24;
/** A long word with this few works may be a typo in the data if another word has this many times as many. */
const RARE_WORKS_MAX = 3;
const RARE_LETTERS_MIN = 7;
const TIMES_AS_MANY = 100;
/** A correction must be a word that at least this share of works, and at least this many works, contain. */
const FREQUENT_SHARE = 1 / 20_000;
const FREQUENT_MIN = 2;
/** In a query this short, each word may be a name: short words are not corrected. */
const FEW_WORDS = 2;
const FEW_LETTERS_MIN = 5;
/** From this length on, a word may contain two errors. */
const TWO_ERRORS_LETTERS_MIN = 8;

interface Repaired {
  readonly parsed: ParsedQuery;
  /** The whole corrected query. */
  readonly didYouMean: string;
}

/**
 * Corrects words that are missing or rare in the dataset to the likeliest frequent word. Undefined if nothing needs correction. Names of
 * makers, subject terms and quoted words are never corrected.
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
 * Finds works by a number in the query, else by words. If no work matches all words, corrects typos; if few do, appends partial matches
 * ranked by term weight (rare words, names and dates weigh more). The response reports both.
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
  const { from, reach } = windowOf({ offset, limit }, lookup);
  const own = await closest(asIs, lookup, reach);
  const repaired = await repair(database, asIs, lookup);
  const again = repaired && (await index.lookUp(edition, repaired.parsed, among));
  const attempt = again ? better(own, await closest(repaired.parsed, again, reach), query) : own;
  const didYouMean = attempt.parsed === repaired?.parsed ? repaired.didYouMean : undefined;
  const page = { offset, limit, from, isAmbiguous: lookup.isAmbiguous };
  return {
    hits: (await readPage(database, attempt, page)).map(({ record, found }) => {
      const missing = missingOf(attempt.parsed, found);
      return { record, why: matchReason(record, attempt.parsed), ...(missing.length > 0 && { missing }) };
    }),
    total: attempt.total,
    facets: attempt.facets,
    ...(filters && { leftOut: attempt.leftOut }),
    relaxed: attempt.relaxed,
    ...(didYouMean !== undefined && { didYouMean }),
  };
}

/**
 * Works ranked together if stems are ambiguous. Independent of the page size, so that pages stay consistent.
 */
const WINDOW = 50;

/** The part of the ranking that contains a page. */
function windowOf({ offset, limit }: { offset: number; limit: number }, { isAmbiguous }: LookedUp) {
  if (!isAmbiguous) return { from: offset, reach: offset + limit };
  return { from: WINDOW * Math.floor(offset / WINDOW), reach: WINDOW * Math.ceil((offset + limit) / WINDOW) };
}

interface Page {
  readonly offset: number;
  readonly limit: number;
  /** Start of the window that contains the first work. */
  readonly from: number;
  readonly isAmbiguous: boolean;
}

/** The works of a page with their records. */
async function readPage(database: Queryable, { best, parsed }: Attempt, page: Page) {
  const { offset, limit, from, isAmbiguous } = page;
  const read = async (works: Ranked['best']) => {
    const records = await readRecords(
      database,
      works.map(({ number }) => number),
    );
    return works.flatMap(({ number, found }) => {
      const record = records.get(number);
      return record ? [{ record, found }] : [];
    });
  };
  type Work = Awaited<ReturnType<typeof read>>[number];
  const sayIt = ({ record, found }: Work) => hasWords(record, parsed, found);
  const works = await read(best.slice(offset, offset + limit));
  // At the beginning of a window, a page of exact matches needs no reordering.
  if (!isAmbiguous || (offset === from && works.every(sayIt))) return works;
  return lastOfEach(await read(best.slice(from)), sayIt).slice(offset - from, offset - from + limit);
}

/** Within each window, moves works that only match by stem to the end. */
function lastOfEach<T>(works: readonly T[], sayIt: (work: T) => boolean): T[] {
  const windows = Array.from({ length: Math.ceil(works.length / WINDOW) }, (_, at) =>
    works.slice(at * WINDOW, (at + 1) * WINDOW),
  );
  return windows.flatMap((window) => {
    const { true: right = [], false: wrong = [] } = Object.groupBy(window, (work) => `${sayIt(work)}`);
    return [...right, ...wrong];
  });
}

interface Attempt extends Ranked {
  readonly parsed: ParsedQuery;
  readonly relaxed: readonly string[];
  /** Number of full matches. */
  readonly whole: number;
}

/** Full matches. Empty if neither words nor filters restrict the query. */
async function rankWorks(parsed: ParsedQuery, lookup: LookedUp, limit: number): Promise<Attempt> {
  const isAsked = lookup.worth.length > 0 || lookup.hasYears || lookup.isFiltered;
  const ranked = isAsked ? await lookup.rank(limit) : NONE_RANKED;
  return { ...ranked, parsed, relaxed: [], whole: ranked.total };
}

/** A page with fewer full matches is filled with partial matches. */
const FILLED = 10;
/** Partial matches below this share of the query's weight, or of the best match's weight, are dropped. */
const SHARE_MIN = 0.4;
const OF_MOST_MIN = 0.7;
/** The same for a sentence, whose words are often only incidental. */
const OF_SENTENCE_MIN = 0.25;

/**
 * Takes the corrected query if it has more full matches. The response then says first that it was corrected, and how to search for the
 * original.
 */
function better(own: Attempt, repaired: Attempt, query: string): Attempt {
  if (repaired.whole <= own.whole && (own.total > 0 || repaired.total === 0)) return own;
  const found = own.whole === 0 ? 'nothing' : `only ${own.whole}`;
  const typed = query.replace(/"/g, '');
  const said = `${found} found for "${typed}" as typed; quote it to search for exactly that`;
  return { ...repaired, relaxed: [said, ...repaired.relaxed] };
}

/** Full matches and, if these are few, the partial matches with the highest term weight. */
async function closest(parsed: ParsedQuery, lookup: LookedUp, limit: number): Promise<Attempt> {
  const whole = await rankWorks(parsed, lookup, limit);
  const asked = lookup.worth.length + (lookup.hasYears ? 1 : 0);
  if (whole.total >= Math.min(limit, FILLED) || asked < 2 || lookup.worth.length === 0) return whole;
  const share =
    whole.total > 0 ? SHARE_MIN : Math.min(SHARE_MIN, OF_MOST_MIN * (await lookup.largestShare()));
  if (share === 0) return whole;
  const near = await lookup.rank(limit, share);
  const isSentence = lookup.worth.length >= SENTENCE_MIN;
  const some =
    isSentence && near.total < limit ? await lookup.rank(limit, Math.min(share, OF_SENTENCE_MIN)) : near;
  if (some.total === whole.total) return whole;
  return {
    ...whole,
    ...some,
    // Full matches that filters exclude are more informative than partial ones.
    leftOut: whole.leftOut.works > 0 ? whole.leftOut : some.leftOut,
    relaxed: [whole.total > 0 ? describeFilled(whole.total) : describeOmitted(parsed, some)],
  };
}

const describeFilled = (works: number): string =>
  `${works === 1 ? 'only one work matches' : `only ${works} works match`} the whole query; others follow, and why names what they lack`;

/** Names the parts of the query that the listed works lack. */
function describeOmitted(parsed: ParsedQuery, { best }: Ranked): string {
  const [first] = best;
  if (best.some(({ found }) => found !== first!.found))
    return 'no work matches the whole query; the closest are listed, and why names what they lack';
  const missing = missingOf(parsed, first!.found);
  return `${missing.join(' and ')} ${missing.length > 1 ? 'were' : 'was'} left out`;
}

/** Parts of the query that a work lacks, as typed. */
function missingOf({ groups, yearsSaid }: ParsedQuery, found: number): string[] {
  const names = [
    ...groups.map(([first]) => `"${first!.text}"`),
    ...(yearsSaid ? [`the date "${yearsSaid}"`] : []),
  ];
  return names.filter((_, at) => !(found & (at < groups.length ? 1 << at : DATED)));
}

/**
 * Maximum works with one number: some museums assign a number twice, and several museums may use the same
 * one.
 */
const WORKS_MAX = 200;

/**
 * Works that a query names by number: accession number, object number or id. Undefined if it names none. Runs
 * before the query is parsed, so that no number is taken for a year.
 */
async function findByNumber(
  database: Database,
  edition: number,
  { query, museum, filters, limit, offset = 0 }: Search,
): Promise<Found | undefined> {
  const { whole, possible = [], words } = numbersIn(query);
  for (const number of new Set([...(whole === undefined ? [] : [whole]), ...possible, ...words])) {
    const bare = number.replace(MUSEUM_PREFIX, '');
    const ids = [number, ...MUSEUM_NAMES.map((name) => `${name}_${bare}`)];
    const rows = await readByNumber(database, { edition, ids, key: keyOfNumber(bare), limit: WORKS_MAX });
    const named = MUSEUM_PREFIX.exec(fold(number))?.[1];
    const there = rows.filter(
      ({ record }) =>
        (!museum || record.museum === museum) &&
        (!named || record.museum === named) &&
        (!possible.includes(number) || partsOf(record.accession_number) === partsOf(bare)),
    );
    const works = closestNumbers(there, number, bare);
    if (works.length === 0) continue;
    const relaxed =
      number === whole || number === possible[0] ? [] : [`only the number "${number}" was searched for`];
    const fit = await selectMatches(database, edition, ANYTHING, { museum, filters }, numbersOf(works));
    const records = works.filter((work) => fit.numbers.has(work.number)).map(({ record }) => record);
    return {
      hits: records.slice(offset, offset + limit).map((record) => ({ record, why: 'number' })),
      total: records.length,
      facets: fit.facets(),
      ...(filters && { leftOut: fit.leftOut }),
      relaxed,
      isByNumber: true,
    };
  }
  return undefined;
}

const ANYTHING = { groups: [], excluded: [] };
const numbersOf = (works: readonly NumberedRecord[]) => works.map(({ number }) => number);

const MUSEUM_PREFIX = new RegExp(`^(${MUSEUM_NAMES.join('|')})_`, 'i');

/** Letters and digits of a number, regardless of separators: "JP 2822" and "jp2822" give the same parts. */
const partsOf = (number: string): string => (fold(number).match(/\p{L}+|\d+/gu) ?? []).join(' ');

/** Prefers exact numbers, then those with the same parts, then those with the same letters and digits. */
function closestNumbers(works: readonly NumberedRecord[], number: string, bare: string): NumberedRecord[] {
  const same: ((record: ArtworkRecord) => boolean)[] = [
    ({ id }) => id === number,
    ({ id, museum, accession_number }) => fold(accession_number) === fold(bare) || id === `${museum}_${bare}`,
    ({ accession_number }) => partsOf(accession_number) === partsOf(bare),
    () => true,
  ];
  for (const isSame of same) {
    const some = works.filter(({ record }) => isSame(record));
    if (some.length > 0) return some;
  }
  return [];
}

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
