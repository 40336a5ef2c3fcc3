/** Poll interval of the maintenance state. */
export const MAINTENANCE_LOOK_MS = 2_000;
/** Retry-After during maintenance. */
export const MAINTENANCE_RETRY_SECONDS = 30;
export const MAINTENANCE_WHY_CHARACTERS_MAX = 300;
