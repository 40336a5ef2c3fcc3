/** Entries per list of a wallet overview. */
export const SEEN_MAX = 20;
/** Entries per list of the server overview. */
export const WORLD_SEEN_MAX = 50;
/** Lifetime of cached metadata and keys of the identity provider. */
export const PROVIDER_KEPT_MS = 600_000;
/** Pause after a failed request to it. */
export const PROVIDER_PAUSE_MS = 15_000;
export const PROVIDER_TIMEOUT_MS = 5_000;
export const PROVIDER_BYTES_MAX = 256 * 1024;
/** Allowed clock skew of tokens. */
export const TOKEN_CLOCK_SKEW_S = 60;
/** Lifetime of a browser sign-in, independent of the session at the provider. */
export const SIGNED_IN_MS = 8 * 3_600_000;
/** Characters of an operator name in the log. */
export const WHO_CHARACTERS_MAX = 120;
/** Characters of a refusal by the identity provider. */
export const REFUSAL_CHARACTERS_SHOWN = 200;
