/** Holds, or charges, per statement. Each uses a different one of the 256 parts of the house accounts. */
export const CALLS_TOGETHER_MAX = 32;
/** Concurrent statements for holds, and for charges: one is prepared while others are flushed. */
export const STATEMENTS_AT_ONCE = 3;
/** Millicredits. A charge that reduces the balance below it emits credits.low. */
export const LOW_BALANCE = 5000;
