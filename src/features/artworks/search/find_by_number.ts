import type { Database } from '../../../core/database/types.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { fold } from './fold.ts';
import { numbersIn } from './query_years.ts';
import { keyOfNumber, type NumberedRecord, readByNumber } from './search_store.ts';
import { selectMatches } from './select_matches.ts';
import type { Found, Search } from './types.ts';

/**
 * Maximum works with one number: some museums assign a number twice, and several museums may use the same
 * one.
 */
const WORKS_MAX = 200;

/**
 * Works that a query names by number: accession number, object number or id. Undefined if it names none. Runs
 * before the query is parsed, so that no number is taken for a year.
 */
export async function findByNumber(
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
    const works = closest(there, number, bare);
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
function closest(works: readonly NumberedRecord[], number: string, bare: string): NumberedRecord[] {
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
