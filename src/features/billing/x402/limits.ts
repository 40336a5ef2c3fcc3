/** Equal terms share one signature for this long. Signed offers hold by up to this much longer than a payment. */
export const OFFER_STEP_S = 10;
/** Signatures kept in memory, about 0.5 kB each. */
export const OFFERS_CACHED_MAX = 1_000;
