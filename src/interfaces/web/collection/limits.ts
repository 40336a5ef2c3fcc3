import { SEARCH_OFFSET_MAX, SEARCH_RESULTS_MAX } from '../../../features/artworks/tools/limits.ts';

/** Works on one page of the collection: full rows of four, three and two. */
export const WORKS_A_PAGE = 24;
const wholePages = (works: number): number => Math.floor(works / WORKS_A_PAGE) * WORKS_A_PAGE;

/** Works that can be paged through: whole pages, the last of which begins where a search may. */
export const WORKS_REACHED_MAX: number = wholePages(SEARCH_OFFSET_MAX) + WORKS_A_PAGE;
/** Of an order by years: whole pages of what one search answers, which are put in order. */
export const WORKS_SORTED_MAX: number = wholePages(SEARCH_RESULTS_MAX);
/** What one part of a question may weigh in the address of the page; the search itself has bounds of its own. */
export const ASKED_CHARACTERS_MAX = 500;
/** Searches of pages from one address: the page of a work makes three, and one or two for the works beside it in a search; a person opens no more than forty of them for long. */
export const PAGE_SEARCHES_PER_MINUTE = 200;
/** Maps from one address: each reads the places of all the works found. */
export const MAPS_PER_MINUTE = 60;
/** Recent queries are answered from memory, for every caller; at most this many are kept. */
export const SEARCH_KEPT_MS = 10_000;
export const SEARCHES_KEPT_MAX = 32;
/** Pixels a thumbnail is laid out with. */
export const THUMBNAIL_PX = 400;
/** Works shown beside one that is looked at. */
export const NEAR_WORKS = 8;
/** Works that are like it in one way, shown there: one row each. */
export const ALIKE_WORKS = 4;
/** How long a page waits for a museum before it is shown without what only the museum can say. */
export const MUSEUM_WAIT_MS = 1500;
