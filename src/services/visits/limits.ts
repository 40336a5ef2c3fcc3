/** What bodies that are arriving may fill; the rest is for calls under way. */
export const MEMORY_ARRIVAL_SHARE = 0.75;
export const MEMORY_ARRIVAL_WAIT_MS = 2_000;
export const MEMORY_WAIT_MS = 15_000;
