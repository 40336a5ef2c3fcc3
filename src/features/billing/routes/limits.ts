/** Calls one intent may be made for. */
export const PAYMENT_INTENT_CALLS_MAX = 1000;
export const PACKS_PER_CHECKOUT_MAX = 100;
export const CARD_EVENT_BYTES_MAX = 1024 * 1024;
