/** Time slices of a lifetime: bytes count for the lifetime, plus at most one slice. */
export const PARTS = 24;
/** Maximum caller rows in the database, for all servers. */
export const CALLER_ROWS_MAX = 500_000;
/** Callers per statement. */
export const CALLERS_PER_STATEMENT = 500;
/** Delay before counts that the database has missed are sent again. */
export const COUNT_RETRY_MS = 1_000;
/** Fraction of a quota that a process reserves ahead for a caller who stores files often, so that not every file needs a commit. */
export const AHEAD_SHARE = 1 / 1024;
/** A caller stores files often if the last one was within this time. Bytes unused for as long are returned. */
export const AHEAD_MS = 5_000;
