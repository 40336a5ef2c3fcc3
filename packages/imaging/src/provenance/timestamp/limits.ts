/** Maximum size of a token or response, in bytes. Tokens with a whole chain of RSA certificates take 6 to 9 kB. */
export const TOKEN_BYTES_MAX = 65_536;
/** Maximum certificates per token. A chain has 2 to 4. */
export const TOKEN_CERTIFICATES_MAX = 16;
/** Maximum certificates between a stamp and the trust list. */
export const CHAIN_LENGTH_MAX = 8;
/** Maximum difference between the authority's clock and ours: in the future for any stamp, in either direction for a requested one. 5 minutes. */
export const CLOCK_TOLERANCE_MS = 300_000;
/** Maximum characters of the name of an authority. */
export const AUTHORITY_CHARACTERS_MAX = 200;
