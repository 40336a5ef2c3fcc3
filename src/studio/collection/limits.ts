import { SEARCH_RESULTS_MAX } from '../../tools/dataset/limits.ts';

/** Works on one page of the collection: full rows of four, three and two. */
export const WORKS_A_PAGE = 24;
/** Works that can be paged through: whole pages of what one search answers. */
export const WORKS_REACHED_MAX: number = Math.floor(SEARCH_RESULTS_MAX / WORKS_A_PAGE) * WORKS_A_PAGE;
/** What one part of a question may weigh in the address of the page; the search itself has bounds of its own. */
export const ASKED_CHARACTERS_MAX = 500;
/** Pixels a thumbnail is laid out with. */
export const THUMBNAIL_PX = 400;
/** Works shown beside one that is looked at. */
export const NEAR_WORKS = 8;
/** How long a page waits for a museum before it is shown without what only the museum can say. */
export const MUSEUM_WAIT_MS = 1500;
