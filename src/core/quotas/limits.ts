/** Counted parts of a lifetime: what was kept is counted for that long, and for a part more at most. */
export const PARTS = 24;
/** Rows of callers in the database, for all servers. */
export const KEPT_ROWS_MAX = 500_000;
/** Callers asked about in one statement. */
export const ASKED_AT_ONCE_MAX = 500;
/** When the database is told again what it could not be told. */
export const TELL_AGAIN_MS = 1_000;
