/** Callers in memory of a process; the oldest are dropped first. */
export const KEYS_MAX = 200_000;
/** Maximum caller rows in the database, for all servers. */
export const WINDOWS_MAX = 500_000;
/** Prefetched permits are returned when unused for this long; a cached refusal is valid as long. */
export const LEASE_MS = 1_000;
/** Maximum prefetched permits per caller. */
export const LEASE_CALLS_MAX = 64;
/** Maximum share of the remaining permits of a caller that a process prefetches. */
export const LEASE_SHARE = 1 / 8;
/** Callers per statement. */
export const ASKED_AT_ONCE_MAX = 500;
