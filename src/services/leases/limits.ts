/** A server that is silent for so long has lost what it held. */
export const LEASE_MS = 60_000;
/** How often one that works says so. */
export const LEASE_SIGN_MS = 15_000;
