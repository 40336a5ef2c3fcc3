/** An intent nobody has used by then is let go of. */
export const PAYMENT_INTENT_LIFETIME_MS = 24 * 3_600_000;
/** Calls that may fail with one intent before it is let go of, so that one payment does not run failing calls for ever. */
export const PAYMENT_INTENT_CLAIMS_MAX = 10;
export const CHECKOUT_LIFETIME_MS = 3_600_000;
/** How long after it the processor is asked again about a checkout whose money is still on its way. */
export const CHECKOUT_RECHECK_MS = 3_600_000;
export const PAYMENT_CENTS_MAX = 99_999_999;
/** Older notices of the processor are refused, so that a recorded one cannot be sent again. */
export const CARD_EVENT_AGE_SECONDS_MAX = 300;
/** Events, and purchases nobody paid. Longer than a processor sends the same event again. */
export const UNPAID_REMEMBERED_MS = 30 * 86_400_000;
export const PAYMENT_UNKNOWN_RETRY_SECONDS = 30;
export const PROCESSOR_TIMEOUT_MS = 20_000;
export const PAYMENTS_SWEPT_A_ROUND = 50;
