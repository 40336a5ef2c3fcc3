/** Callers in memory of a process; the oldest are dropped first. */
export const KEYS_MAX = 200_000;
/** Maximum caller rows in the database, for all servers. */
export const WINDOWS_MAX = 500_000;
/** Lifetime of a cached refusal. */
export const REFUSAL_MS = 1_000;
/** Prefetched permits are returned after being unused for this fraction of a window, within these bounds. */
export const [LEASE_WINDOW_SHARE, LEASE_MS_MIN, LEASE_MS_MAX] = [1 / 12, 1_000, 5_000];
/** All due permits are returned in one statement, at this interval. */
export const RETURN_INTERVAL_MS = 2_500;
/** Prefetched permits per caller, at first and at most. */
export const [LEASE_CALLS_MIN, LEASE_CALLS_MAX] = [4, 64];
/** Maximum share of the remaining permits of a caller that a process prefetches. */
export const LEASE_SHARE = 1 / 8;
/** Callers per statement. */
export const CALLERS_PER_STATEMENT = 500;
