/** Payloads of callers without a wallet are looked up by their id for so long. */
export const ANONYMOUS_MARK_LIFETIME_MS = 180 * 86_400_000;
