export const HEALTH_CHECK_TIMEOUT_MS = 5_000;
export const HEALTH_FILE_BYTES = 64 * 1024;
/** How long the outcome of a health check counts. */
export const HEALTH_REMEMBERED_MS = 2_000;
