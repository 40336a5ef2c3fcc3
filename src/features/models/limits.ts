/** Larger than any file of the manifest. */
export const MODEL_FILE_BYTES_MAX = 512 * 1024 * 1024;
/** A download that brings fewer bytes than these for so long is given up. */
export const MODEL_DOWNLOAD_STALL_MS = 60_000;
export const MODEL_DOWNLOAD_STALL_BYTES = 16 * 1024;
/** A measured speed this old is taken again before a call is refused for it: the machine may have been busy then. */
export const SPEED_FRESH_MS = 10 * 60_000;
