/** Content-addressed bytes on disk: written to a temporary name, fsynced, renamed. */
export interface Blobs {
  /** Keeps the bytes and returns their sha256 in hex once they are on the disk. Keeping the same bytes again is harmless. */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws AtelierError internal_error when the bytes are gone or no longer have this sha256 */
  get(sha256: string): Promise<Uint8Array>;
  /** Deletes every blob that `isUsed` denies and that is older than `olderThan`. */
  sweep(isUsed: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number>;
}

export { createBlobs } from './blobs.ts';
export { makeDataFolder } from './data_folder.ts';
export { createHourlyFiles } from './hourly_files.ts';
