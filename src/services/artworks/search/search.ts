import type { Database, Queryable } from '../../../database/index.ts';
import { SEARCH_CANDIDATES_MAX, SEARCH_COUNT_MAX } from '../../../dataset_limits.ts';
import type { MuseumName } from '../../../museums.ts';
import { likeliest, shortened } from './misspelling.ts';
import { type ParsedQuery, parseQuery } from './parse_query.ts';
import {
  countMatches,
  type Hit,
  knownWords,
  type Match,
  nearWords,
  readHits,
  readQuery,
  searching,
  withMark,
} from './search_store.ts';
import { decadesAsked, museumMark, TOP } from './searchable.ts';
import { whyOf } from './why.ts';

export interface Search {
  readonly query: string;
  readonly museum?: MuseumName | undefined;
  readonly limit: number;
}

export interface Found {
  readonly hits: readonly (Hit & { readonly why: string })[];
  /** Exact up to SEARCH_COUNT_MAX; `isMore` says that there are more. */
  readonly total: number;
  readonly isMore: boolean;
  readonly facets: { readonly museum: Record<string, number>; readonly century: Record<string, number> };
  /** The query as it was understood after typing errors were repaired. */
  readonly didYouMean?: string;
  /** What was given up to find anything, in words. */
  readonly relaxed: readonly string[];
}

interface Attempt {
  readonly parsed: ParsedQuery;
  readonly relaxed: readonly string[];
  readonly didYouMean?: string;
}

/**
 * Finds works by words. Where nothing has them all, typing errors are repaired, then the date is given up, then words
 * one after the other; the answer says so.
 */
export const search = (database: Database, edition: number, asked: Search): Promise<Found> =>
  searching(database, (tx) => find(tx, edition, asked));

async function find(database: Queryable, edition: number, asked: Search): Promise<Found> {
  const parsed = parseQuery(asked.query);
  let found = await attempt(database, edition, asked, { parsed, relaxed: [] });
  if (found.total > 0) return found;
  const repaired = await repair(database, parsed);
  if (repaired) {
    found = await attempt(database, edition, asked, { ...repaired, relaxed: [] });
    if (found.total > 0) return found;
  }
  for (const easier of relaxations(repaired?.parsed ?? parsed)) {
    const relaxed = await attempt(database, edition, asked, {
      ...easier,
      ...(repaired && { didYouMean: repaired.didYouMean }),
    });
    if (relaxed.total > 0) return relaxed;
  }
  return found;
}

async function attempt(
  database: Queryable,
  edition: number,
  { museum, limit }: Search,
  { parsed, relaxed, didYouMean }: Attempt,
): Promise<Found> {
  const { groups, excluded, years } = parsed;
  const words = await readQuery(database, groups, excluded);
  const found = (hits: readonly Hit[], counts: Counts): Found => ({
    ...counts,
    hits: hits.map((hit) => ({ ...hit, why: whyOf(hit, parsed) })),
    relaxed,
    ...(didYouMean !== undefined && { didYouMean }),
  });
  // Nothing to look for: an empty query, or one of nothing but exclusions.
  if ((groups.length === 0 || words === '') && !years) return found([], NOTHING);
  const inMuseum = museum ? withMark(words, museumMark(museum)) : words;
  const { from, to } = years ?? {};
  // The index knows decades; the years themselves are looked at in what it finds.
  const decades = from !== undefined && to !== undefined ? decadesAsked(from, to) : undefined;
  const query = decades ? withMark(inMuseum, ...decades) : inMuseum;
  const match: Match = { edition, query, words, from, to };
  const counts = await counted(database, match);
  if (counts.total === 0) return found([], counts);
  return found(await best(database, match, limit, counts.total > SEARCH_CANDIDATES_MAX), counts);
}

/** Of many works, those at the top are ranked alone where there are enough of them. */
async function best(database: Queryable, match: Match, limit: number, areMany: boolean): Promise<Hit[]> {
  const bounds = { limit, candidates: SEARCH_CANDIDATES_MAX };
  if (areMany) {
    const top = await readHits(database, { ...match, query: withMark(match.query, TOP) }, bounds);
    if (top.length === limit) return top;
  }
  return readHits(database, match, bounds);
}

type Counts = Pick<Found, 'total' | 'isMore' | 'facets'>;

const NOTHING: Counts = { total: 0, isMore: false, facets: { museum: {}, century: {} } };

async function counted(database: Queryable, match: Match): Promise<Counts> {
  const rows = await countMatches(database, match, SEARCH_COUNT_MAX + 1);
  const sums = (nameOf: (row: (typeof rows)[number]) => string | undefined) => {
    const sum: Record<string, number> = {};
    for (const row of rows) {
      const name = nameOf(row);
      if (name !== undefined) sum[name] = (sum[name] ?? 0) + row.works;
    }
    return sum;
  };
  const all = rows.reduce((sum, { works }) => sum + works, 0);
  return {
    total: Math.min(all, SEARCH_COUNT_MAX),
    isMore: all > SEARCH_COUNT_MAX,
    facets: {
      museum: sums(({ museum }) => museum),
      century: sums(({ century }) => (century === null || century < 1 ? undefined : `${century}`)),
    },
  };
}

/** Replaces words the catalogue does not have by the likeliest it has. */
async function repair(
  database: Queryable,
  parsed: ParsedQuery,
): Promise<{ parsed: ParsedQuery; didYouMean: string } | undefined> {
  const typed = parsed.groups.map(([first]) => first!);
  const words = [...new Set(typed.flatMap((wording) => wording.split(' ')))].filter(
    (word) => word.length >= 4,
  );
  const known = await knownWords(database, words);
  const repairs = new Map<string, string>();
  for (const word of words.filter((one) => !known.has(one) && one.length <= 24)) {
    const meant = likeliest(word, await nearWords(database, shortened(word)));
    if (meant !== undefined) repairs.set(word, meant);
  }
  if (repairs.size === 0) return undefined;
  const didYouMean = typed
    .map((wording) =>
      wording
        .split(' ')
        .map((word) => repairs.get(word) ?? word)
        .join(' '),
    )
    .join(' ');
  const { groups } = parseQuery(didYouMean);
  const date = parsed.yearsSaid ? ` ${parsed.yearsSaid}` : '';
  return { parsed: { ...parsed, groups }, didYouMean: didYouMean + date };
}

/** The same query with less and less asked of a work. */
function* relaxations(parsed: ParsedQuery): Generator<Attempt> {
  const { years, yearsSaid, ...timeless } = parsed;
  const { groups } = parsed;
  if (years && groups.length > 0) {
    yield { parsed: timeless, relaxed: [`the date "${yearsSaid}" was left out`] };
  }
  if (groups.length < 2) return;
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    const without = groups.filter((_, other) => other !== at);
    yield { parsed: { ...timeless, groups: without }, relaxed: [`"${groups[at]![0]}" was left out`] };
  }
  yield {
    parsed: { ...timeless, groups: [groups.flat()] },
    relaxed: ['works with any of the words are shown'],
  };
}
