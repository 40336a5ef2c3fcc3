/** What a manifest may hold: some hundred bytes a table and a part of one. */
export const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;
/** Characters of one part, unpacked; a dump makes parts of 32 million and one long value more. */
export const PART_BYTES_MAX = 1024 * 1024 * 1024;
/** Blobs that are read, compared or written at once, each of which is in memory. */
export const BLOBS_AT_ONCE = 4;
/** Blobs asked about in one statement. */
export const BLOBS_ASKED = 500;
/** Damaged blobs a backup is made in spite of; with more, the folder or bucket is hardly the right one. */
export const DAMAGED_MAX = 1_000;
/** How often a backup asks whether blobs are still being swept, and for how long. */
export const SWEEP_LOOK_MS = 500;
export const SWEEP_WAIT_MS = 600_000;
