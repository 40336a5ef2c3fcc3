/** Least time between two stamps of the log: 10 minutes, so at most 144 requests a day. */
export const LOG_STAMP_INTERVAL_MS = 600_000;
/** Wait after a failed request; it doubles with each further failure. */
export const LOG_STAMP_RETRY_MS = 60_000;
/** Longest wait after failures: 1 hour. */
export const LOG_STAMP_RETRY_MS_MAX = 3_600_000;
