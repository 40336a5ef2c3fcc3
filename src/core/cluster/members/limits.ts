/** A server on another machine is considered dead after this time without a heartbeat. */
export const SERVER_SILENCE_MS = 45_000;
/** Heartbeat interval. */
export const SERVER_SIGN_MS = 15_000;
/** Maximum gap between heartbeats of a server that has reached the database throughout. */
export const SIGN_GAP_MS_MAX = SERVER_SIGN_MS + 5_000;
/** Retry interval of releases that failed because the database was away. */
export const OWED_AGAIN_MS = 1_000;
/** Maximum clock skew: with more, this server would expire what other servers have just started. */
export const CLOCK_APART_MS_MAX = 30_000;
