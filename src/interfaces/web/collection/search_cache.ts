import type { z } from 'zod';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import type { searchArtworks } from '../../../features/artworks/tools/search_artworks.ts';
import { type CachedValues, createValueCache } from '../value_cache.ts';
import { SEARCH_KEPT_MS, SEARCHES_KEPT_MAX } from './limits.ts';

export type SearchAnswer = z.output<typeof searchArtworks.output> & { readonly warnings?: readonly string[] };

/** Cached response of a query with the records found. */
export interface CachedSearch {
  readonly answer: SearchAnswer;
  readonly records: readonly ArtworkRecord[];
}

/** Cache by query. */
export const createSearchCache = (): CachedValues<CachedSearch> =>
  createValueCache({ ms: SEARCH_KEPT_MS, max: SEARCHES_KEPT_MAX });
