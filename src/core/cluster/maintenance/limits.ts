/** How often a server looks whether there is maintenance. */
export const MAINTENANCE_LOOK_MS = 2_000;
/** When callers are told to come back. */
export const MAINTENANCE_RETRY_SECONDS = 30;
export const MAINTENANCE_WHY_CHARACTERS_MAX = 300;
