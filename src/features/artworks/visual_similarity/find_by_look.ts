import type { Database } from '../../../core/database/types.ts';
import { orderLikes, type SeenLike } from '../image_embeddings/seen_like.ts';
import { LOOK_CANDIDATES_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { parseQuery } from '../search/parse_query.ts';
import { readRecords } from '../search/search_store.ts';
import type { AlikeHit, Found, Search } from '../search/types.ts';
import { whichFit } from '../search/which_fit.ts';
import { whyOf } from '../search/why.ts';
import { type FoundRow, readFound } from './found_store.ts';
import type { LookIndex } from './look_index.ts';
import type { LookAsked } from './rank_looks.ts';

/** The query may be empty: search by likeness only. */
interface Alike extends Search {
  /** Id of the work that others are compared with, which is not found itself. */
  readonly without?: string | undefined;
}

interface FindByLookOptions extends LookAsked, Alike {
  /** Works whose image embeddings match the sent image and the query, if available. */
  readonly seen?: SeenLike | undefined;
}

/**
 * Finds works by visual similarity. Every word, date and exclusion of the query and every filter must hold; none is relaxed to find more.
 */
export async function findByLook(
  database: Database,
  edition: number,
  { seen, colors, like, by, ...asked }: FindByLookOptions,
  index: Pick<LookIndex, 'search'>,
): Promise<Found> {
  const likest = await index.search({ colors, like, by }, { limit: LOOK_CANDIDATES_MAX });
  const hits = seen ? orderLikes(likest, seen, await colored(index, colors, seen.picture)) : likest;
  return amongAlike(database, edition, hits, { ...asked, shown: seen?.words });
}

/**
 * The same of works that are alike in subject.
 * @param hits the most alike first
 */
export async function findAmongAlike(
  database: Database,
  edition: number,
  hits: readonly AlikeHit[],
  { colors, ...asked }: Alike & Pick<LookAsked, 'colors'>,
  index: Pick<LookIndex, 'search'>,
): Promise<Found> {
  const allowed = await colored(index, colors, new Map(hits.map(({ id }) => [id, true])));
  const fitting = hits.filter(({ id }) => allowed?.has(id) ?? true);
  return amongAlike(database, edition, fitting, asked);
}

/** The page of the works that have all else that was asked for. @param asked.shown works whose picture shows what the query says */
async function amongAlike(
  database: Database,
  edition: number,
  hits: readonly AlikeHit[],
  asked: Alike & { readonly shown?: ReadonlyMap<string, number> | undefined },
): Promise<Found> {
  const { query, museum, filters, limit, offset = 0, without, shown: seenWords } = asked;
  const ids = hits.map(({ id }) => id).filter((id) => id !== without);
  const parsed = parseQuery(query);
  const here = await readFound(database, edition, ids);
  const numbers = [...here.values()].map(({ number }) => number);
  const among = { museum, filters };
  const worded = await whichFit(database, edition, parsed, among, numbers);
  const fitting = worded.numbers;
  // The words may match the image embedding instead of the text; dates, museum, filters and exclusions apply to all.
  const loosely = seenWords
    ? await whichFit(database, edition, { ...parsed, groups: [] }, among, numbers)
    : worded;
  const rows = ids
    .flatMap((id) => here.get(id) ?? [])
    .filter(({ id, number }) => fitting.has(number) || (seenWords?.has(id) && loosely.numbers.has(number)));
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

/** Of works, those with the requested colours; undefined if no colours are requested. */
const colored = async (
  index: Pick<LookIndex, 'search'>,
  colors: LookAsked['colors'],
  works: ReadonlyMap<string, unknown>,
) => {
  if (!colors?.length) return undefined;
  const hits = await index.search({ colors }, { ids: new Set(works.keys()) });
  return new Set(hits.map(({ id }) => id));
};
