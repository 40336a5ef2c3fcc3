/** Largest number of budgets in memory. Full budgets are dropped; beyond this number, the oldest are dropped, too. */
export const CPU_KEYS_MAX = 200_000;
/** Oldest budgets to examine for one that is not exhausted, before an exhausted one is dropped. */
export const CPU_EVICTION_TRIES = 16;
/** Multiples of the budget of an address, per IPv6 prefix length. */
export const CPU_NETWORK_FACTORS: Readonly<Record<string, number>> = { 64: 4, 56: 16, 48: 64 };
/** Multiples of the budget of an address, for a wallet with credits and for all such wallets of one address together. */
export const CPU_CREDITS_FACTOR = 4;
/** Time of the main thread or the database is taken from the budgets in steps of this many seconds, and at the end of a request. */
export const CPU_CHARGE_STEP_SECONDS = 0.01;
/** Upper bound of main-thread CPU time attributed to receiving a byte of a body: 5 times the measured 4 ns. */
export const CPU_RECEIVE_SECONDS_PER_BYTE_MAX = 20e-9;
/** Maximum delay before a job with an exhausted budget is checked again: each process has its own counts. */
export const CPU_JOB_RETRY_SECONDS_MAX = 60;
