import { SEARCH_OFFSET_MAX, SEARCH_RESULTS_MAX } from '../../../features/artworks/tools/limits.ts';

/** Works per page: fills rows of 4, 3 and 2. */
export const WORKS_A_PAGE = 24;
const wholePages = (works: number): number => Math.floor(works / WORKS_A_PAGE) * WORKS_A_PAGE;

/** Works reachable by paging: whole pages up to the maximum offset of a search. */
export const WORKS_REACHED_MAX: number = wholePages(SEARCH_OFFSET_MAX) + WORKS_A_PAGE;
/** Works reachable when sorted by year: whole pages of a single search response. */
export const WORKS_SORTED_MAX: number = wholePages(SEARCH_RESULTS_MAX);
/** Characters of one query field in the URL; the search has its own limits. */
export const ASKED_CHARACTERS_MAX = 500;
/** Page searches per IP address. A work page makes 3 to 5; a person opens at most 40 per minute. */
export const PAGE_SEARCHES_PER_MINUTE = 200;
/** Maps per IP address; each reads the places of all results. */
export const MAPS_PER_MINUTE = 60;
/** Recent queries are cached for all visitors; this is the maximum number. */
export const SEARCH_KEPT_MS = 10_000;
export const SEARCHES_KEPT_MAX = 32;
/** Layout size of a thumbnail. */
export const THUMBNAIL_PX = 400;
/** Related works on a work page. */
export const NEAR_WORKS = 8;
/** Similar works per aspect on a work page: one row each. */
export const ALIKE_WORKS = 4;
/** Maximum wait for a museum before a page is shown without its data. */
export const MUSEUM_WAIT_MS = 1500;
