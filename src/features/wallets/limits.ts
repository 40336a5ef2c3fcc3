/** Calls whose credits are held, or taken, by one statement. Each is another share of the accounts of the house, of which there are 256. */
export const CALLS_TOGETHER_MAX = 32;
/** Of holding, and of taking: enough that one is prepared while others are written to the disk. */
export const STATEMENTS_AT_ONCE = 3;
/** Millicredits. A charge that brings the balance below it emits credits.low. */
export const LOW_BALANCE = 5000;
