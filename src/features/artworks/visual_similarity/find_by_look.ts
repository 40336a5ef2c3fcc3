import type { Database } from '../../../core/database/types.ts';
import { orderLikes, type SeenLike } from '../image_embeddings/seen_like.ts';
import { LOOK_CANDIDATES_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { parseQuery } from '../search/parse_query.ts';
import { readRecords } from '../search/search_store.ts';
import type { Among, Found } from '../search/types.ts';
import { whichFit } from '../search/which_fit.ts';
import { whyOf } from '../search/why.ts';
import { type FoundRow, readFound } from './found_store.ts';
import type { LookIndex } from './look_index.ts';
import type { LookAsked } from './rank_looks.ts';

interface FindByLookOptions extends LookAsked, Among {
  /** May be empty: looks alone then. */
  readonly query: string;
  readonly limit: number;
  readonly offset?: number | undefined;
  /** Works whose pictures show what the one that was sent shows, and what the query says, where that is known. */
  readonly seen?: SeenLike | undefined;
}

/**
 * Finds works by what their pictures look like; of a query beside it every word, date and exclusion has to hold, and every filter.
 * Nothing is given up to find more.
 */
export async function findByLook(
  database: Database,
  edition: number,
  { query, museum, filters, limit, offset = 0, seen, ...asked }: FindByLookOptions,
  index: Pick<LookIndex, 'search'>,
): Promise<Found> {
  const likest = await index.search(asked, { limit: LOOK_CANDIDATES_MAX });
  const hits = seen ? orderLikes(likest, seen, await colored(index, asked.colors, seen)) : likest;
  const ids = hits.map(({ id }) => id);
  const parsed = parseQuery(query);
  const here = await readFound(database, edition, ids);
  const numbers = [...here.values()].map(({ number }) => number);
  const among = { museum, filters };
  const worded = await whichFit(database, edition, parsed, among, numbers);
  const fitting = worded.numbers;
  // What the words say may be seen as well as written; dates, museum, filters and exclusions hold for all.
  const loosely = seen?.words
    ? await whichFit(database, edition, { ...parsed, groups: [] }, among, numbers)
    : worded;
  const rows = ids
    .flatMap((id) => here.get(id) ?? [])
    .filter(({ id, number }) => fitting.has(number) || (seen?.words?.has(id) && loosely.numbers.has(number)));
  const found = new Set(rows.map(({ number }) => number));
  const shown = rows.slice(offset, offset + limit);
  const records = await readRecords(
    database,
    shown.map(({ number }) => number),
  );
  const why = new Map(hits.map((hit) => [hit.id, hit.why]));
  const whyOfWords = ({ number }: FoundRow, record: ArtworkRecord) =>
    query === '' || !fitting.has(number) ? '' : whyOf(record, parsed);
  return {
    hits: shown.flatMap((row) => {
      const record = records.get(row.number);
      if (!record) return [];
      const reasons = [whyOfWords(row, record), why.get(row.id)?.()].filter(Boolean);
      return [{ record, why: reasons.join('; ') }];
    }),
    total: rows.length,
    facets: loosely.facets((number) => found.has(number)),
    ...(filters && { leftOut: worded.leftOut }),
    relaxed: [],
  };
}

/** Of works whose pictures show the like, those that have the colours asked for; undefined where none are. */
const colored = async (
  index: Pick<LookIndex, 'search'>,
  colors: FindByLookOptions['colors'],
  { picture }: SeenLike,
) => {
  if (!colors?.length) return undefined;
  const hits = await index.search({ colors }, { ids: new Set(picture.keys()) });
  return new Set(hits.map(({ id }) => id));
};
