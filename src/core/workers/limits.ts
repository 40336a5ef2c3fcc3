/** Work on more pixels than this leaves so many of them to other work: the bound on memory. */
export const PIXELS_OF_LARGE_WORK = 8_000_000;
/** CPU seconds from which work is long: it never takes the last process. docs/decisions/0005-admission-by-cpu-seconds.md */
export const SHORT_WORK_SECONDS = 1;
/** Predicted CPU seconds from which work runs at LONG_WORK_NICENESS, also where it is short: it would delay what takes a few milliseconds. */
export const LOW_PRIORITY_SECONDS = 0.25;
/**
 * Niceness of a process from its first such work on: a quarter of a core where ordinary work wants the same one (sched(7)), so that it goes on under
 * any load. docs/decisions/0005-admission-by-cpu-seconds.md
 */
export const LONG_WORK_NICENESS = 5;
/** Short work that has used this multiple of its prediction, and SHORT_WORK_SECONDS, counts as long. */
export const OVERRUN_FACTOR = 2;
/** How often the pool looks for work that has to make room. */
export const OVERRUN_CHECK_MS = 100;
/** Runs of an engine and class of parameters whose ratio of measured to predicted time is remembered, and how many of them one address has. */
export const RATIOS_KEPT = 32;
export const RATIOS_OF_AN_ADDRESS_MAX = 4;
/** With fewer runs, only the table predicts. */
export const RATIOS_NEEDED = 3;
/** Shorter runs say more about starting a process than about the engine. CPU seconds. */
export const RATIO_SECONDS_MIN = 0.1;
/** Bounds of the correction: a machine four times as fast to eight times as slow as the one the table was measured on. */
export const CORRECTION_MIN = 0.25;
export const CORRECTION_MAX = 8;
/** The longest wait named to a client that is refused: predictions beyond it say little. */
export const BUSY_RETRY_SECONDS_MAX = 120;
/** Part of its deadline a call waits for its turn: what begins later would seldom end in time. */
export const WAIT_SHARE_OF_DEADLINE = 0.5;
export const PIXEL_QUEUE_LENGTH_MAX = 64;
/** From this size on a few strips of a sheet are made first, to know how long it takes and how large its file becomes. */
export const SHEET_SAMPLED_PIXELS_MIN = 60_000_000;
export const PRESS_PROFILE_BYTES_MAX = 4 * 1024 * 1024;
/** A process that holds more while it works is stopped; its job fails, the others go on. */
export const WORKER_MEMORY_BYTES_MAX = 896 * 1024 * 1024;
export const NETWORK_MEMORY_BYTES_MAX = 1_536 * 1024 * 1024;
/** A process that still holds more than this after a job is replaced by a fresh one. One that has compared pictures holds 140 to 165 MiB. */
export const WORKER_IDLE_MEMORY_BYTES_MAX = 192 * 1024 * 1024;
/** How long a process for pictures stays without a job. */
export const WORKER_IDLE_MS = 60_000;
export const WORKER_MEMORY_CHECK_MS = 100;
/** How long a process may go on with a job whose caller hung up. */
export const WORKER_GRACE_MS = 250;
/** Side of the picture a network's speed is measured on, in pixels: half a second of two idle cores with the largest. */
export const SPEED_SAMPLE_PX = 64;
/** No network is started that would not have ended by then, at the pace of the one before. */
export const COMPARISON_MS_MAX = 30_000;
/** Weights kept open in the process for networks: the two largest and all small ones. */
export const OPEN_WEIGHTS_BYTES_MAX = 192 * 1024 * 1024;
/** The process for networks keeps its sessions up to this much, and for this long without a call. */
export const NETWORK_IDLE_MEMORY_BYTES_MAX = 768 * 1024 * 1024;
export const NETWORK_IDLE_MS = 5 * 60_000;
/** Where the machine has less than this to spare, an idle process for networks is ended at once. */
export const SPARE_MEMORY_BYTES_MIN = 512 * 1024 * 1024;
export const SPARE_MEMORY_CHECK_MS = 5_000;
