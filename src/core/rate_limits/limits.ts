/** Callers a process remembers; the oldest are forgotten first. */
export const KEYS_MAX = 200_000;
/** Rows of callers in the database, for all servers. */
export const WINDOWS_MAX = 500_000;
/** Calls a process takes ahead are given back when they were not used for so long; so long it trusts what it was told. */
export const LEASE_MS = 1_000;
/** The most calls of one caller a process takes ahead. */
export const LEASE_CALLS_MAX = 64;
/** The part of what is left to a caller that a process takes ahead at most. */
export const LEASE_SHARE = 1 / 8;
/** Callers asked about in one statement. */
export const ASKED_AT_ONCE_MAX = 500;
