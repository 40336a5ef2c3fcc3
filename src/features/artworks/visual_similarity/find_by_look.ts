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
  /** May be empty: search by visual similarity only. */
  readonly query: string;
  readonly limit: number;
  readonly offset?: number | undefined;
  /** Works whose image embeddings match the sent image and the query, if available. */
  readonly seen?: SeenLike | undefined;
}

/**
 * Finds works by visual similarity. Every word, date and exclusion of the query and every filter must hold; none is relaxed to find more.
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
  // The words may match the image embedding instead of the text; dates, museum, filters and exclusions apply to all.
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

/** Of the works with a similar image embedding, those with the requested colours; undefined if no colours are requested. */
const colored = async (
  index: Pick<LookIndex, 'search'>,
  colors: FindByLookOptions['colors'],
  { picture }: SeenLike,
) => {
  if (!colors?.length) return undefined;
  const hits = await index.search({ colors }, { ids: new Set(picture.keys()) });
  return new Set(hits.map(({ id }) => id));
};
