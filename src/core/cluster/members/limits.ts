/** A server of another machine that is silent for so long does not run any more. */
export const SERVER_SILENCE_MS = 45_000;
/** How often one that runs says so. */
export const SERVER_SIGN_MS = 15_000;
/** Between two signs of one that has reached the database all the while. */
export const SIGN_GAP_MS_MAX = SERVER_SIGN_MS + 5_000;
/** Clocks further apart than this would end what other servers have just begun. */
export const CLOCK_APART_MS_MAX = 30_000;
