import type { Database } from '../../database/contract.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Found, Search } from './contract.ts';
import { fold, wordsOf } from './fold.ts';
import { numbersIn } from './query_numbers.ts';
import { keyOfNumber, readByNumber } from './search_store.ts';

/** Works of one number: museums give some twice, and one museum's may be another's. */
const WORKS_MAX = 200;

/**
 * The works a query names by number: the museum's accession number or number of the object, or our id. Undefined where it names none.
 * Looked for before anything is read out of the query, so that no number is taken for a year.
 */
export async function findByNumber(
  database: Database,
  edition: number,
  { query, museum, limit }: Search,
): Promise<Found | undefined> {
  const { whole, words } = numbersIn(query);
  for (const number of new Set([...(whole === undefined ? [] : [whole]), ...words])) {
    const bare = number.replace(MUSEUM_PREFIX, '');
    const ids = [number, ...MUSEUM_NAMES.map((name) => `${name}_${bare}`)];
    const rows = await readByNumber(database, { edition, ids, key: keyOfNumber(bare), limit: WORKS_MAX });
    const named = MUSEUM_PREFIX.exec(fold(number))?.[1];
    const possible = rows.filter(
      (one) => (!museum || one.museum === museum) && (!named || one.museum === named),
    );
    const records = closest(possible, number, bare);
    if (records.length > 0)
      return foundOf(records, limit, number === whole ? [] : [`only the number "${number}" was looked for`]);
  }
  return undefined;
}

const MUSEUM_PREFIX = new RegExp(`^(${MUSEUM_NAMES.join('|')})_`, 'i');

/** Those written exactly so; else those with the same parts between other marks; else those with the same letters and digits. */
function closest(records: readonly ArtworkRecord[], number: string, bare: string): ArtworkRecord[] {
  const same: ((record: ArtworkRecord) => boolean)[] = [
    ({ id }) => id === number,
    ({ id, museum, accession_number }) => fold(accession_number) === fold(bare) || id === `${museum}_${bare}`,
    ({ accession_number }) => wordsOf(fold(accession_number)).join(' ') === wordsOf(fold(bare)).join(' '),
    () => true,
  ];
  for (const isSame of same) {
    const some = records.filter(isSame);
    if (some.length > 0) return some;
  }
  return [];
}

function foundOf(records: readonly ArtworkRecord[], limit: number, relaxed: readonly string[]): Found {
  const counts = (names: readonly string[]) =>
    Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]));
  return {
    hits: records.slice(0, limit).map((record) => ({ record, why: 'number' })),
    total: records.length,
    facets: {
      museum: counts(records.map(({ museum }) => museum)),
      century: counts(records.flatMap(({ year_from, year_to }) => centuryOf(year_from, year_to))),
    },
    relaxed,
    isByNumber: true,
  };
}

function centuryOf(from: number | null, to: number | null): string[] {
  const century = from === null || to === null ? 0 : Math.trunc((from + to + 198) / 200);
  return century > 0 ? [`${century}`] : [];
}
