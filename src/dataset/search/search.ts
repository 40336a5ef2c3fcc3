import type { Database } from '../../database/contract.ts';
import type { Found, Search } from './contract.ts';
import { findByNumber } from './find_by_number.ts';
import { lookUp } from './look_up.ts';
import { DATED } from './match.ts';
import { openIndex } from './open_index.ts';
import { type ParsedQuery, parseQuery } from './parse_query.ts';
import { countMostFound, type Lookup, type Ranked, rank } from './rank.ts';
import { repair } from './repair.ts';
import { readRecords } from './search_store.ts';
import { whyOf } from './why.ts';

/**
 * Finds works by a number where the query has one, else by words. Where nothing has them all, typing errors are repaired, then the date is given up, then the works
 * that have most of the words are shown; the answer says so.
 */
export async function search(database: Database, edition: number, asked: Search): Promise<Found> {
  return (await findByNumber(database, edition, asked)) ?? findByWords(database, edition, asked);
}

async function findByWords(
  database: Database,
  edition: number,
  { query, museum, limit }: Search,
): Promise<Found> {
  const index = openIndex(database);
  const asIs = parseQuery(query);
  const lookup = await lookUp(index, edition, asIs, museum);
  const plain = rankWorks(asIs, lookup, limit);
  const repaired = await repair(database, asIs, lookup.words, plain.total > 0);
  const attempt = repaired
    ? better(plain, closest(repaired.parsed, await lookUp(index, edition, repaired.parsed, museum), limit))
    : closest(asIs, lookup, limit);
  const didYouMean = attempt.parsed === repaired?.parsed ? repaired.didYouMean : undefined;
  const records = await readRecords(
    database,
    attempt.best.map(({ number }) => number),
  );
  return {
    hits: attempt.best.flatMap(({ number }) => {
      const record = records.get(number);
      return record ? [{ record, why: whyOf(record, attempt.parsed) }] : [];
    }),
    total: attempt.total,
    facets: { museum: attempt.museum, century: attempt.century },
    relaxed: attempt.relaxed,
    ...(didYouMean !== undefined && { didYouMean }),
  };
}

interface Attempt extends Ranked {
  readonly parsed: ParsedQuery;
  readonly relaxed: readonly string[];
}

/** Works that have all of it. Where nothing is asked for, that is none. */
function rankWorks(parsed: ParsedQuery, lookup: Lookup, limit: number): Attempt {
  const asked = lookup.groups + (lookup.years ? 1 : 0);
  return { ...(asked === 0 ? NOTHING : rank(lookup, asked, limit)), parsed, relaxed: [] };
}

const NOTHING: Ranked = { best: [], total: 0, museum: {}, century: {} };

/** A repaired query has to find more than the one that was typed, and something has to be found. */
const better = (plain: Attempt, repaired: Attempt): Attempt =>
  plain.total === 0 || (repaired.relaxed.length === 0 && repaired.total > plain.total) ? repaired : plain;

/** Works that have all of it, else those that have as much of it as any. */
function closest(parsed: ParsedQuery, lookup: Lookup, limit: number): Attempt {
  const whole = rankWorks(parsed, lookup, limit);
  if (whole.total > 0 || lookup.groups === 0) return whole;
  if (lookup.years) {
    const timeless = rankWorks(parsed, { ...lookup, years: undefined }, limit);
    if (timeless.total > 0) return { ...timeless, relaxed: [`the date "${parsed.yearsSaid}" was left out`] };
  }
  const needed = countMostFound(lookup);
  if (needed === 0) return whole;
  const some = rank(lookup, needed, limit);
  return { ...some, parsed, relaxed: [describeOmitted(parsed, some, needed)] };
}

/** Says what the works shown are without; where each is without something else, how much they have. */
function describeOmitted({ groups, yearsSaid }: ParsedQuery, { best }: Ranked, needed: number): string {
  const names = [...groups.map(([first]) => `"${first}"`), ...(yearsSaid ? [`the date "${yearsSaid}"`] : [])];
  const [first] = best;
  if (best.some(({ found }) => found !== first!.found)) {
    return `nothing has all of it; works with ${needed} of ${names.length} things asked for are shown`;
  }
  const missing = names.filter((_, at) => !(first!.found & (at < groups.length ? 1 << at : DATED)));
  return `${missing.join(' and ')} ${missing.length > 1 ? 'were' : 'was'} left out`;
}
