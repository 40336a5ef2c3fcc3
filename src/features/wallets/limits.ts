/** Calls whose holds, or charges, share a statement. Each belongs to another part of the house accounts, of which there are 256. */
export const CALLS_TOGETHER_MAX = 32;
/** Concurrent statements for holds, and for charges: one is prepared while others are flushed. */
export const STATEMENTS_AT_ONCE = 3;
/** Millicredits. A charge that brings the balance below it emits credits.low. */
export const LOW_BALANCE = 5000;
