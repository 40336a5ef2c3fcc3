/** A server that does not renew for this time loses its leases. */
export const LEASE_MS = 60_000;
/** Longest validity or pause of a lease. Later times were written before a clock was set back, and are ignored. */
export const LEASE_MS_MAX = 25 * 3_600_000;
/** Renewal interval. */
export const LEASE_RENEWAL_MS = 15_000;
