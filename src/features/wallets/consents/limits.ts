/** Time for the owner to decide, and then for the agent to use the grant. */
export const CONSENT_LIFETIME_MS = 15 * 60_000;
/** Retention of ended requests, so that they can be told from unknown ones. */
export const CONSENT_MEMORY_MS = 86_400_000;
/** Open approval requests per wallet. */
export const APPROVALS_OPEN_MAX = 20;
/** Open approval requests per wallet from one network address, because anyone can name an open wallet. */
export const APPROVALS_OPEN_PER_ADDRESS_MAX = 5;
/** Listed requests per wallet, including those that ended within a day. */
export const APPROVALS_LISTED_MAX = 100;
/** Open key requests per caller, and in total. */
export const KEY_REQUESTS_OPEN_MAX = 20;
export const KEY_REQUESTS_OPEN_OF_ALL_MAX = 10_000;
/** Displayed characters of the parameters of a call. */
export const SHOWN_CHARACTERS_MAX = 2000;
