import type { Database } from '../../database/contract.ts';
import { LOOK_CANDIDATES_MAX } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { Found } from '../search/contract.ts';
import { parseQuery } from '../search/parse_query.ts';
import { readRecords } from '../search/search_store.ts';
import { whichFit } from '../search/which_fit.ts';
import { whyOf } from '../search/why.ts';
import { type FoundRow, readFound } from './found_store.ts';
import type { LookAsked, LookIndex } from './look_index.ts';

interface Asked extends LookAsked {
  /** May be empty: looks alone then. */
  readonly query: string;
  readonly museum?: MuseumName | undefined;
  readonly limit: number;
}

/**
 * Finds works by what their pictures look like; of a query beside it every word, date and exclusion has to hold. Nothing is
 * given up to find more.
 */
export async function findByLook(
  database: Database,
  edition: number,
  { query, museum, limit, ...asked }: Asked,
  index: Pick<LookIndex, 'search'>,
): Promise<Found> {
  const hits = (await index.search(asked)).slice(0, LOOK_CANDIDATES_MAX);
  const ids = hits.map(({ id }) => id);
  const parsed = parseQuery(query);
  const here = await readFound(database, edition, ids);
  const numbers = [...here.values()].map(({ number }) => number);
  const fitting = await whichFit(database, edition, parsed, museum, numbers);
  const rows = ids.flatMap((id) => here.get(id) ?? []).filter(({ number }) => fitting.has(number));
  const records = await readRecords(
    database,
    rows.slice(0, limit).map(({ number }) => number),
  );
  const why = new Map(hits.map((hit) => [hit.id, hit.why]));
  const whyOfWords = (record: ArtworkRecord) => (query === '' ? '' : whyOf(record, parsed));
  return {
    hits: rows.slice(0, limit).flatMap(({ number, id }) => {
      const record = records.get(number);
      if (!record) return [];
      const reasons = [whyOfWords(record), why.get(id)].filter(Boolean);
      return [{ record, why: reasons.join('; ') }];
    }),
    total: rows.length,
    facets: {
      museum: countByName(rows, ({ museum: of }) => of),
      century: countByName(rows, ({ century }) => century && `${century}`),
    },
    relaxed: [],
  };
}

function countByName(
  rows: readonly FoundRow[],
  nameOf: (row: FoundRow) => string | null | 0,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const name = nameOf(row);
    if (name) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
