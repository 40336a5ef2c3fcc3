/** Maximum size of a manifest, which has some hundred bytes per table and part. */
export const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;
/** Maximum characters of one uncompressed part; a dump writes parts of 32 million, plus one long value. */
export const PART_BYTES_MAX = 1024 * 1024 * 1024;
/** Blobs in memory at once while they are read, compared or written. */
export const BLOBS_AT_ONCE = 4;
/** Damaged blobs that a backup tolerates; more suggest the wrong folder or bucket. */
export const DAMAGED_MAX = 1_000;
/** Poll interval and timeout while a backup waits for a running cleanup. */
export const SWEEP_LOOK_MS = 500;
export const SWEEP_WAIT_MS = 600_000;
/** Lock file in a backup folder, and in DATA_DIR during a backup. */
export const BACKUP_LOCK = 'backup.lock';
/** Renewal interval of the lock in a bucket, and the silence after which it lapses. */
export const BUCKET_LOCK_RENEW_MS = 15_000;
export const BUCKET_LOCK_SILENCE_MS = 120_000;
