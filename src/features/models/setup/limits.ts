/** Conservative estimate of the bytes of an artwork in the database, including indexes. */
export const WORK_BYTES = 8 * 1024;
/** Copies of a model on disk during installation: as downloaded, and as installed. */
export const NETWORK_COPIES = 2;
/** Delay before a failed download is retried, doubled each time. */
export const PULL_RETRY_MS = 10 * 60_000;
export const PULL_RETRY_MS_MAX = 24 * 3_600_000;
/** Poll interval for downloads that failed or were abandoned by another server. */
export const PULL_LOOK_MS = 60_000;
/** Maximum time per model or museum; the next attempt resumes. */
export const PULL_RUN_MS_MAX = 6 * 3_600_000;
/** Grace period after a request to stop, after which the process is killed. */
export const PULL_STOP_MS = 15_000;
/** Heap of the download process in MB, and captured characters of its output. */
export const PULL_HEAP_MB = 1024;
export const PULL_SAID_CHARACTERS = 2000;
/** Lease timeout of a requested download: a silent server loses it to others. */
export const FETCH_SILENCE_MS = 60_000;
/** Poll interval for requested downloads, and reporting interval of their progress. */
export const FETCH_LOOK_MS = 2_000;
