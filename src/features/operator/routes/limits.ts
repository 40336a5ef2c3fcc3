/** One grant; a slip of the hand should not mint a fortune. */
export const GRANT_CREDITS_MAX = 100_000;
export const TOKEN_DAYS_MAX = 366;
export const ACTS_SHOWN_MAX = 200;
export const ENTRIES_SHOWN_MAX = 100;
export const TOKENS_SHOWN_MAX = 100;
/** The books are recomputed from the journal; pages that ask again within so long get the last answer. */
export const BOOKS_KEPT_MS = 60_000;
