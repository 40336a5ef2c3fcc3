import { FEED_LENGTH_MAX } from '../../../features/community/routes/limits.ts';
import type { Limit } from '../../../features/definitions/tool.ts';

/** Entries on one page of a feed. */
export const ENTRIES_A_PAGE = 24;
/** Entries that can be paged through: whole pages of what a feed answers at once. */
export const ENTRIES_REACHED_MAX: number = Math.floor(FEED_LENGTH_MAX / ENTRIES_A_PAGE) * ENTRIES_A_PAGE;
/** The longest form, with every character of it escaped. */
export const FORM_BYTES_MAX = 32_768;
/** Looking at feeds and posting to them; what is posted has bounds of its own. */
export const FEED_PAGES_LIMIT: Limit = { name: 'feed-pages', calls: 1200, perSeconds: 3600, by: 'address' };
