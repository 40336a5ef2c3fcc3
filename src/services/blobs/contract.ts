/** Content-addressed bytes on disk: written to a temporary name, fsynced, renamed. */
export interface Blobs {
  /** Keeps the bytes and returns their sha256 in hex once they are on the disk. Keeping the same bytes again is harmless. */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * @param options `copies`: how often the bytes will be in memory at once
   * @throws AtelierError internal_error when the bytes are gone or no longer have this sha256; payload_too_large above
   * `bytesMax`, before anything is read; busy
   */
  get(sha256: string, options?: { bytesMax?: number; copies?: number }): Promise<Uint8Array>;
  /**
   * The same for whoever passes them on: read from the disk as they are used, and not checked.
   * @throws AtelierError internal_error when they are gone
   */
  open(sha256: string): Promise<Blob>;
  /** Deletes every blob that `isUsed` denies and that is older than `olderThan`. */
  sweep(isUsed: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number>;
}
