/** What a node of a chain gets to answer one question about a contract wallet. */
export const CHAIN_TIMEOUT_MS = 5000;
export const CHAIN_ANSWER_BYTES_MAX = 256 * 1024;
/** Questions to it at once, over all callers. */
export const CHAIN_QUESTIONS_MAX = 16;
/** How far back a node is asked for events: about three hours of a chain with blocks of two seconds, and what most nodes allow. */
export const CHAIN_LOG_BLOCKS_MAX = 5000n;
