/** Budgets a process remembers. A full budget is not remembered; beyond this the oldest are forgotten. */
export const CPU_KEYS_MAX = 200_000;
/** Oldest budgets looked at to find one that is not used up, before one that is used up is forgotten. */
export const CPU_EVICTION_TRIES = 16;
/** Times the budget of an address, for each prefix length of IPv6. */
export const CPU_NETWORK_FACTORS: Readonly<Record<string, number>> = { 64: 4, 56: 16, 48: 64 };
/** Times the budget of an address, for a wallet with credits and for all such wallets of one address together. */
export const CPU_CREDITS_FACTOR = 4;
/** Time of the main thread or the database is taken from the budgets in steps of this many seconds, and at the end of a request. */
export const CPU_CHARGE_STEP_SECONDS = 0.01;
/** Most CPU time the main thread is taken to need for receiving a byte of a body: 5 times what was measured (4 ns). */
export const CPU_RECEIVE_SECONDS_PER_BYTE_MAX = 20e-9;
/** A job whose address has used up its budget is looked at again after this at the latest: each process has its own counts. */
export const CPU_JOB_RETRY_SECONDS_MAX = 60;
