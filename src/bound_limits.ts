/** Bounds on what everybody together may fill: memory, connections, disk. Those an operator may set are in bound_settings.ts. */

// Bytes in memory, of everybody together.
export const BYTES_IN_MEMORY_MAX = 512 * 1024 * 1024;
/** What one address may hold of it, unless with a single visit. */
export const MEMORY_ADDRESS_SHARE = 0.5;
/** What bodies that are arriving may fill; the rest is for calls under way. */
export const MEMORY_ARRIVAL_SHARE = 0.75;
export const MEMORY_ARRIVAL_WAIT_MS = 2_000;
export const MEMORY_WAIT_MS = 15_000;
/** A body of JSON is counted twice: the pictures in it are decoded beside it. */
export const JSON_BODY_COPIES = 2;
/** Bytes that go into an answer as base64: themselves, the text, and the text as it is sent. */
export const BASE64_COPIES = 11 / 3;
/** What resources/read answers; larger results are fetched by their link. */
export const RESOURCE_BYTES_MAX = 25 * 1024 * 1024;

// Connections.
/** What was wrong with requests of one address; beyond it none of them is read for a while. */
export const REFUSALS_PER_MINUTE = 600;
/** In each span of this length a body has to come at this pace. */
export const BODY_SPAN_MS = 5_000;
export const BODY_BYTES_PER_SECOND_MIN = 16 * 1024;
/** Lines in the log about one kind of refusal of one address, before the rest of the span is only counted. */
export const AUDIT_LINES_MAX = 10;
export const AUDIT_SPAN_MS = 60_000;
export const CONNECTIONS_MAX = 4_096;
export const CONNECTIONS_PER_ADDRESS_MAX = 256;

// Bytes on disk. Above these sums new files are refused until old ones have expired.
export const UPLOADS_BYTES_MAX = 4 * 1024 ** 3;
export const RESULTS_BYTES_MAX = 32 * 1024 ** 3;
export const ANSWERS_BYTES_MAX = 4 * 1024 ** 3;
export const ASSETS_BYTES_MAX = 64 * 1024 ** 3;
/** What of each one caller may fill: an address, and a wallet. */
export const KEPT_SHARE_PERCENT = 12;
/** Below so much free space, or this part of the disk where that is less, nothing new is taken. */
export const DISK_FREE_BYTES_MIN = 1024 ** 3;
export const DISK_FREE_SHARE_MIN = 0.05;
export const HEALTH_CHECK_TIMEOUT_MS = 5_000;
export const HEALTH_FILE_BYTES = 64 * 1024;
/** How long the outcome of a health check counts. */
export const HEALTH_REMEMBERED_MS = 2_000;
/** Below this no start is tried. */
export const START_FREE_BYTES_MIN = 16 * 1024 * 1024;
/** How long a look at the disk counts. */
export const DISK_LOOK_MS = 1_000;

// Turns at the pixels.
/** Work on more pixels than this never takes the last process nor the last of the pixels. */
export const PIXELS_OF_LARGE_WORK = 8_000_000;
/** What a turn counts for beside its pixels, when turns are shared out: about what a process does in the time it takes to get going. */
export const PIXEL_COST_OF_A_TURN = 1_000_000;
/** Part of pixels, processes and jobs at work that one address may have. */
export const CALLER_SHARE = 0.75;
/** Part of its deadline a call waits for its turn: what begins later would seldom end in time. */
export const WAIT_SHARE_OF_DEADLINE = 0.5;
