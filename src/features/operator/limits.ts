/** Of each list in what is shown of a wallet. */
export const SEEN_MAX = 20;
/** Of each list in what is shown of all. */
export const WORLD_SEEN_MAX = 50;
/** An identity provider is asked for its description and keys again after so long. */
export const PROVIDER_KEPT_MS = 600_000;
/** One that did not answer is left alone for so long. */
export const PROVIDER_PAUSE_MS = 15_000;
export const PROVIDER_TIMEOUT_MS = 5_000;
export const PROVIDER_BYTES_MAX = 256 * 1024;
/** A token from a clock so far from ours is still taken. */
export const TOKEN_CLOCK_SKEW_S = 60;
/** A sign-in in a browser holds for so long, whatever becomes of it at the provider. */
export const SIGNED_IN_MS = 8 * 3_600_000;
/** Of an operator's name in the log. */
export const WHO_CHARACTERS_MAX = 120;
/** Of the text an identity provider refuses a sign-in with. */
export const REFUSAL_CHARACTERS_SHOWN = 200;
