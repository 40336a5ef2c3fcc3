/** Lifetime of an unused intent, which is canceled afterwards. */
export const PAYMENT_INTENT_LIFETIME_MS = 24 * 3_600_000;
/** Failed calls per intent before it is canceled, so that one payment cannot run an unlimited number of failing calls. */
export const PAYMENT_INTENT_CLAIMS_MAX = 10;
export const CHECKOUT_LIFETIME_MS = 3_600_000;
/** Delay before the processor is asked again about a checkout with a pending payment. */
export const CHECKOUT_RECHECK_MS = 3_600_000;
export const PAYMENT_CENTS_MAX = 99_999_999;
/** Older events of the processor are refused, to prevent replays. */
export const CARD_EVENT_AGE_SECONDS_MAX = 300;
/** Retention of events and unpaid purchases. Longer than the retry period of a processor. */
export const UNPAID_REMEMBERED_MS = 30 * 86_400_000;
export const PAYMENT_UNKNOWN_RETRY_SECONDS = 30;
export const PROCESSOR_TIMEOUT_MS = 20_000;
export const PAYMENTS_SWEPT_A_ROUND = 50;
