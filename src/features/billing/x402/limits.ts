// Payments by x402.
/** How long an authorization should hold: longer than the longest run and its settlement. */
export const X402_PAYMENT_LIFETIME_S = 300;
/** An authorization that ends sooner cannot be settled in time. */
export const X402_SECONDS_LEFT_MIN = 6;
/** Rows of payments are kept until their authorization has ended. */
export const X402_SECONDS_AHEAD_MAX = 7 * 86_400;
/** The largest payment as JSON; contract wallets send long signatures. */
export const X402_PAYMENT_BYTES_MAX = 16 * 1024;
export const X402_SIGNATURE_CHARACTERS_MAX = 8 * 1024;
export const X402_VERIFY_TIMEOUT_MS = 10_000;
/** Settling waits for a block. */
export const X402_SETTLE_TIMEOUT_MS = 30_000;
export const FACILITATOR_ANSWER_BYTES_MAX = 64 * 1024;
/** After this an outcome that is still unknown is left to the operator. */
export const X402_RESOLVE_FOR_MS = 24 * 3_600_000;
export const X402_RESOLVE_PAUSE_MS_MAX = 5 * 60_000;
export const X402_RESOLVED_PER_SWEEP = 20;
/** A payment that was never settled is forgotten this long after nobody can settle it any more. */
export const X402_FORGOTTEN_AFTER_MS = 24 * 3_600_000;
