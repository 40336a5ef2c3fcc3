/** Work on more pixels leaves this many to other work: the memory limit. */
export const PIXELS_OF_LARGE_WORK = 8_000_000;
/** CPU seconds from which work counts as long: it never uses the last process. docs/decisions/0005-admission-by-cpu-seconds.md */
export const SHORT_WORK_SECONDS = 1;
/**
 * Predicted CPU seconds from which work runs at LONG_WORK_NICENESS, even if it counts as short: it would delay work of a few milliseconds.
 */
export const LOW_PRIORITY_SECONDS = 0.25;
/**
 * Niceness of a process from its first such work: a quarter of a core if ordinary work needs the same one (sched(7)), so that it continues
 * under any load. docs/decisions/0005-admission-by-cpu-seconds.md
 */
export const LONG_WORK_NICENESS = 5;
/** Short work that has used this multiple of its prediction, and SHORT_WORK_SECONDS, counts as long. */
export const OVERRUN_FACTOR = 2;
/** Interval at which the pool checks for work that must yield. */
export const OVERRUN_CHECK_MS = 100;
/** Remembered ratios of measured to predicted time per engine and parameter class, and how many of them one address contributes. */
export const RATIOS_KEPT = 32;
export const RATIOS_OF_AN_ADDRESS_MAX = 4;
/** With fewer runs, only the table predicts. */
export const RATIOS_NEEDED = 3;
/** Shorter runs, in CPU seconds, measure process startup more than the engine. */
export const RATIO_SECONDS_MIN = 0.1;
/** Bounds of the correction: from four times as fast to eight times as slow as the machine of the table. */
export const CORRECTION_MIN = 0.25;
export const CORRECTION_MAX = 8;
/** Longest Retry-After of a refusal: predictions beyond it are unreliable. */
export const BUSY_RETRY_SECONDS_MAX = 120;
/** Fraction of its deadline that a call waits: work that starts later would seldom finish in time. */
export const WAIT_SHARE_OF_DEADLINE = 0.5;
export const PIXEL_QUEUE_LENGTH_MAX = 64;
/** From this size, a few strips of a sheet are made first to estimate its duration and file size. */
export const SHEET_SAMPLED_PIXELS_MIN = 60_000_000;
export const PRESS_PROFILE_BYTES_MAX = 4 * 1024 * 1024;
/** Memory limit of a working process: above it the process is stopped, and only its job fails. */
export const WORKER_MEMORY_BYTES_MAX = 896 * 1024 * 1024;
export const NETWORK_MEMORY_BYTES_MAX = 1_536 * 1024 * 1024;
/** A process above this limit after a job is replaced by a new one. A process that has compared images holds 140 to 165 MiB. */
export const WORKER_IDLE_MEMORY_BYTES_MAX = 192 * 1024 * 1024;
/** Idle timeout of an image process. */
export const WORKER_IDLE_MS = 60_000;
export const WORKER_MEMORY_CHECK_MS = 100;
/** How long a process may continue a job whose client has disconnected. */
export const WORKER_GRACE_MS = 250;
/** Side in pixels of the image on which the speed of a model is measured: half a second on two idle cores for the largest model. */
export const SPEED_SAMPLE_PX = 64;
/** No model is started that would finish later than this, at the speed of the previous one. */
export const COMPARISON_MS_MAX = 30_000;
/** Weights kept open in the model process: the two largest and all small models. */
export const OPEN_WEIGHTS_BYTES_MAX = 192 * 1024 * 1024;
/** The model process keeps its sessions up to this memory, and for this long without a call. */
export const NETWORK_IDLE_MEMORY_BYTES_MAX = 768 * 1024 * 1024;
export const NETWORK_IDLE_MS = 5 * 60_000;
/** If the machine has less spare memory, an idle model process is ended at once. */
export const SPARE_MEMORY_BYTES_MIN = 512 * 1024 * 1024;
export const SPARE_MEMORY_CHECK_MS = 5_000;
