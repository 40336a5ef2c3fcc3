import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import { searchArtworks } from '../../../features/artworks/tools/search_artworks.ts';
import type { Limit } from '../../../features/definitions/tool.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import { limitRate } from '../../../pipeline/rate_limit.ts';
import type { Visit } from '../types.ts';
import { PAGE_SEARCHES_PER_MINUTE, WORKS_A_PAGE, WORKS_SORTED_MAX } from './limits.ts';
import type { CachedSearch, SearchAnswer } from './search_cache.ts';
import { type SearchQuery, searchInputOf } from './search_query.ts';
import { type GridWork, gridWork } from './work_grid.ts';

/** Results of a search of the collection. */
export interface FoundWorks {
  readonly answer: SearchAnswer;
  /** Works of the requested page. */
  readonly works: readonly GridWork[];
}

/** Why a query was rejected. */
export interface InvalidQuery {
  readonly problem: string;
  /** The invalid field, if it is a single one. */
  readonly field?: string;
}

/** Status codes that a changed query can fix; others get an error page. */
const MENDED_BY_ASKING = [400, 404, 413, 415, 422];

/**
 * Calls search_artworks on behalf of the visitor, with a rate limit of its own.
 * @throws AtelierError that a changed query cannot fix: rate_limited, busy, …
 */
export async function findWorks(asked: SearchQuery, visit: Visit): Promise<FoundWorks | InvalidQuery> {
  const isSorted = asked.order !== 'best';
  const part = isSorted
    ? { limit: WORKS_SORTED_MAX, offset: 0 }
    : { limit: WORKS_A_PAGE, offset: asked.from };
  try {
    const { answer, records } = await searchOnce(searchInputOf(asked, part), visit);
    const [from, to] = [asked.from, asked.from + WORKS_A_PAGE];
    const shown = isSorted ? records.toSorted(byYear(asked.order)).slice(from, to) : records;
    const { artworks } = visit.studio.context.services;
    return { answer, works: shown.map((record) => gridWork(record, artworks)) };
  } catch (error) {
    if (!(error instanceof AtelierError) || !MENDED_BY_ASKING.includes(error.status)) throw error;
    const field = error.details.errors?.[0]?.field;
    return { problem: error.message, ...(field && { field }) };
  }
}

const LIMIT: Limit = {
  name: 'studio-searches',
  calls: PAGE_SEARCHES_PER_MINUTE,
  perSeconds: 60,
  by: 'address',
};

async function searchOnce(input: Record<string, unknown>, visit: Visit): Promise<CachedSearch> {
  const { context, searches } = visit.studio;
  // A search by an image of a visitor is private to them.
  const isShared = input.like === undefined || /^artwork:/.test(String(input.like));
  const key = isShared ? JSON.stringify(input) : undefined;
  const kept = key === undefined ? undefined : searches.find(key);
  if (kept) return kept;
  const caller = { ...visit.caller, isCounted: true as const };
  const { body } = await limitRate(context, [LIMIT], { client: caller, principal: {} }, () =>
    callTool(context, searchArtworks.name, input, caller),
  );
  const answer = body as unknown as SearchAnswer;
  const ids = answer.results.map(({ credit_id }) => credit_id);
  const found = { answer, records: await recordsOf(ids, context.services.artworks) };
  if (key !== undefined) searches.keep(key, found);
  return found;
}

type Find = Visit['studio']['context']['services']['artworks'];

/** Works withdrawn since the search are omitted. */
async function recordsOf(ids: readonly string[], artworks: Pick<Find, 'find'>): Promise<ArtworkRecord[]> {
  const found = await Promise.all(ids.map((id) => artworks.find(id).catch(withoutMissing)));
  return found.flatMap((work) => (work ? [work.record] : []));
}

function withoutMissing(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'artwork_not_found') throw error;
}

/** Works without a year come last in both orders. */
export const byYear =
  (order: SearchQuery['order']) =>
  (one: Pick<ArtworkRecord, 'year_from'>, other: Pick<ArtworkRecord, 'year_from'>): number => {
    if (one.year_from === null || other.year_from === null)
      return Number(one.year_from === null) - Number(other.year_from === null);
    return (one.year_from - other.year_from) * (order === 'oldest' ? 1 : -1);
  };
