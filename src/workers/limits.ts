/** Work on more pixels than this never takes the last process nor the last of the pixels. */
export const PIXELS_OF_LARGE_WORK = 8_000_000;
/** What a turn counts for beside its pixels, when turns are shared out: about what a process does in the time it takes to get going. */
export const PIXEL_COST_OF_A_TURN = 1_000_000;
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
