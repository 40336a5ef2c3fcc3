/** The bounds of payments, part of `limits.ts`: import them from there. */

// Payments by x402.
/** How long an authorization should hold: longer than the longest run and its settlement. */
export const X402_PAYMENT_LIFETIME_S = 300;
/** An authorization that ends sooner cannot be settled in time. */
export const X402_SECONDS_LEFT_MIN = 6;
/** Rows of payments are kept until their authorization has ended. */
export const X402_SECONDS_AHEAD_MAX = 7 * 86_400;
/** Of a payment as JSON; those of contract wallets carry long signatures. */
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

// Card payment.
/** An intent nobody has used by then is let go of. */
export const PAYMENT_INTENT_LIFETIME_MS = 24 * 3_600_000;
/** Calls that may fail with one intent before it is let go of, so that one payment does not run failing calls for ever. */
export const PAYMENT_INTENT_CLAIMS_MAX = 10;
export const CHECKOUT_LIFETIME_MS = 3_600_000;
/** How long after it the processor is asked again about a checkout whose money is still on its way. */
export const CHECKOUT_RECHECK_MS = 3_600_000;
/** Calls one intent may be made for. */
export const PAYMENT_INTENT_CALLS_MAX = 1000;
export const PAYMENT_CENTS_MAX = 99_999_999;
export const PACKS_PER_CHECKOUT_MAX = 100;
/** Older notices of the processor are refused, so that a recorded one cannot be sent again. */
export const CARD_EVENT_AGE_SECONDS_MAX = 300;
export const CARD_EVENT_BYTES_MAX = 1024 * 1024;
/** Events, and purchases nobody paid. Longer than a processor sends the same event again. */
export const UNPAID_REMEMBERED_MS = 30 * 86_400_000;
export const PAYMENT_UNKNOWN_RETRY_SECONDS = 30;
export const PROCESSOR_TIMEOUT_MS = 20_000;
export const PAYMENTS_SWEPT_A_ROUND = 50;
