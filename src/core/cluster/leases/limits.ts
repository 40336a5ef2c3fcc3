/** A server that is silent for so long has lost what it held. */
export const LEASE_MS = 60_000;
/** The longest time for which a lease is held or rests. A later time was written by a clock that has been set back since, and does not count. */
export const LEASE_MS_MAX = 25 * 3_600_000;
/** How often one that works says so. */
export const LEASE_SIGN_MS = 15_000;
