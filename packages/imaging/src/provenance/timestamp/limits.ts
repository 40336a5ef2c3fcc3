/** Largest token or response that is read, in bytes. Tokens with a whole chain of RSA certificates take 6 to 9 kB. */
export const TOKEN_BYTES_MAX = 65_536;
/** Certificates in one token. A chain has 2 to 4. */
export const TOKEN_CERTIFICATES_MAX = 16;
/** Certificates between a stamp and a certificate of the trust list. */
export const CHAIN_LENGTH_MAX = 8;
/** How far the clock of an authority may be ahead of ours, or apart from it when a stamp is requested: 5 minutes. */
export const CLOCK_TOLERANCE_MS = 300_000;
/** Characters of the name of an authority. */
export const AUTHORITY_CHARACTERS_MAX = 200;
