/** What a work takes in the database, with its share of the index: an estimate, to be on the safe side. */
export const WORK_BYTES = 8 * 1024;
/** A network is on the disk twice for a moment: as it arrives, and as it is installed. */
export const NETWORK_COPIES = 2;
/** What failed is tried again after this, then twice as long each time. */
export const PULL_RETRY_MS = 10 * 60_000;
export const PULL_RETRY_MS_MAX = 24 * 3_600_000;
/** How often a server looks whether something is due that another one had, or that failed. */
export const PULL_LOOK_MS = 60_000;
/** Longest time one network or museum may take; what has arrived is kept for the next try. */
export const PULL_RUN_MS_MAX = 6 * 3_600_000;
/** After it was asked to stop, a process is ended. */
export const PULL_STOP_MS = 15_000;
/** Heap of the process that fetches and imports, in megabytes, and how much of what it says is kept. */
export const PULL_HEAP_MB = 1024;
export const PULL_SAID_CHARACTERS = 2000;
/** A server that fetches what an operator has asked for and is silent for so long has lost it to the others. */
export const FETCH_SILENCE_MS = 60_000;
/** How often servers look whether something was asked for, and how often one that fetches says how far it is. */
export const FETCH_LOOK_MS = 2_000;
