/** Calls whose claims, or responses, share a statement. */
export const KEYS_TOGETHER_MAX = 32;
/** Concurrent statements for responses: one is prepared while others are flushed. Claims are not flushed: one statement at a time. */
export const STATEMENTS_AT_ONCE = 3;
