/** Maximum of one grant, to bound a typing error. */
export const GRANT_CREDITS_MAX = 100_000;
export const TOKEN_DAYS_MAX = 366;
export const ACTS_SHOWN_MAX = 200;
export const ENTRIES_SHOWN_MAX = 100;
export const TOKENS_SHOWN_MAX = 100;
/** Cache lifetime of the ledger totals, which are recomputed from the journal. */
export const BOOKS_KEPT_MS = 60_000;
