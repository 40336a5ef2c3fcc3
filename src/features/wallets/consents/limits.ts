/** An owner has so long to answer, and the agent as long again to use what was granted. */
export const CONSENT_LIFETIME_MS = 15 * 60_000;
/** What has ended is told apart from what never was for so long. */
export const CONSENT_MEMORY_MS = 86_400_000;
/** Questions of one wallet that wait for an answer. */
export const APPROVALS_OPEN_MAX = 20;
/** Of them, those that were asked from one network address: anybody may name an open wallet. */
export const APPROVALS_OPEN_PER_ADDRESS_MAX = 5;
/** Questions of one wallet that are listed, with those that ended within a day. */
export const APPROVALS_LISTED_MAX = 100;
/** Key requests that wait, of one caller, and of all together. */
export const KEY_REQUESTS_OPEN_MAX = 20;
export const KEY_REQUESTS_OPEN_OF_ALL_MAX = 10_000;
/** What is shown of the parameters of a call. */
export const SHOWN_CHARACTERS_MAX = 2000;
