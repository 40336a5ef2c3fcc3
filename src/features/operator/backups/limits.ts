/** What a manifest may hold: some hundred bytes a table and a part of one. */
export const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;
/** Characters of one part, unpacked; a dump makes parts of 32 million and one long value more. */
export const PART_BYTES_MAX = 1024 * 1024 * 1024;
/** Blobs that are read, compared or written at once, each of which is in memory. */
export const BLOBS_AT_ONCE = 4;
/** Damaged blobs a backup is made in spite of; with more, the folder or bucket is hardly the right one. */
export const DAMAGED_MAX = 1_000;
/** How often a backup asks whether blobs are still being swept, and for how long. */
export const SWEEP_LOOK_MS = 500;
export const SWEEP_WAIT_MS = 600_000;
/** Lies in a folder of backups, and in DATA_DIR, while one is made. */
export const BACKUP_LOCK = 'backup.lock';
/** Who makes a backup in a bucket says so this often, and counts as gone after such a silence. */
export const BUCKET_LOCK_RENEW_MS = 15_000;
export const BUCKET_LOCK_SILENCE_MS = 120_000;
