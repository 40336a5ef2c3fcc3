export const CHALLENGE_LIFETIME_MS = 10 * 60_000;
/** Lifetime of a challenge in a 402, as recommended by the extension sign-in-with-x. */
export const SIGN_IN_LIFETIME_MS = 5 * 60_000;
export const SESSION_LIFETIME_MS = 12 * 3_600_000;
/** Accepted clock skew of a message or signature. */
export const CLOCK_SKEW_MS = 60_000;
export const SIGNED_REQUEST_NONCE_CHARACTERS_MAX = 128;
/** Maximum length of Signature-Input and of Signature; Node accepts 16 KiB of headers in total. */
export const SIGNATURE_HEADER_CHARACTERS_MAX = 12_000;
export const SIGNED_COMPONENTS_MAX = 32;
export const KEYS_PER_WALLET_MAX = 100;
export const KEY_LIFETIME_MS_MAX = 10 * 365 * 86_400_000;
export const WALLET_EVENTS_LIFETIME_MS = 90 * 86_400_000;
export const WALLET_EVENTS_SHOWN = 50;
export const KEYS_SHOWN = 200;
