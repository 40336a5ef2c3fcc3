/** Retention of deleted assets. */
export const TRASH_LIFETIME_MS = 7 * 86_400_000;
export const PURGED_A_ROUND = 1000;
