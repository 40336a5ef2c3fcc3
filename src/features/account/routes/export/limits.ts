/** Assets, their versions, the records and the manifest, each with its head. */
export const ARCHIVE_BYTES_MAX = 512 * 1024 * 1024;
