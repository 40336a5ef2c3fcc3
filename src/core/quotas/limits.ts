/** Time slices of a lifetime: bytes count for the lifetime, plus at most one slice. */
export const PARTS = 24;
/** Maximum caller rows in the database, for all servers. */
export const KEPT_ROWS_MAX = 500_000;
/** Callers per statement. */
export const ASKED_AT_ONCE_MAX = 500;
/** Delay before counts that the database missed are sent again. */
export const TELL_AGAIN_MS = 1_000;
