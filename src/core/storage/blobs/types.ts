import type { AtelierError } from '../../errors/atelier_error.ts';

/** Of a file of more than one MiB. */
export interface BlobChecksums {
  readonly bytes: number;
  /** SHA-256 of each MiB, one after another. */
  readonly chunks: Uint8Array;
}

/** What the database knows of stored files beside who names them. */
export interface BlobRecords {
  /** Of a file just stored, or read whole: its damage is mended. */
  saveChecksums(sha256: string, checksums: BlobChecksums): Promise<void>;
  checksumsOf(sha256: string): Promise<BlobChecksums | undefined>;
  saveDamage(sha256: string, isMissing: boolean): Promise<void>;
  removeDamage(sha256: string): Promise<void>;
  /** Of files that were deleted. */
  forget(sha256s: readonly string[]): Promise<void>;
}

export interface DamagedBlob {
  readonly sha256: string;
  /** False where the bytes are there and are others. */
  readonly isMissing: boolean;
  readonly foundAt: Date;
}

/** A stored file that is read as it is sent. */
export interface StoredBytes extends Blob {
  /** Records that a reader found bytes that do not match the file's name, its sha256. Returns the error to throw. */
  reportDamage?(): AtelierError;
}

/** Content-addressed bytes on disk: written to a temporary name, fsynced, renamed. */
export interface Blobs {
  /** Keeps the bytes and returns their sha256 in hex once they are on the disk. Keeping the same bytes again is harmless. */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * @param options `copies`: how often the bytes will be in memory at once
   * @throws AtelierError stored_file_damaged when the bytes are gone or no longer have this sha256; payload_too_large above
   * `bytesMax`, before anything is read; busy
   */
  get(sha256: string, options?: { bytesMax?: number; copies?: number }): Promise<Uint8Array>;
  /**
   * Opens a blob for streaming: its bytes are read from the disk as they are sent. A slice verifies each MiB before it yields bytes of it; the
   * reader of the whole blob verifies it at the end.
   * @throws AtelierError stored_file_damaged when it is missing; streams of slices throw it too
   */
  open(sha256: string): Promise<StoredBytes>;
  /** Deletes every blob that `isUsed` denies and that is older than `olderThan`. */
  sweep(isUsed: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number>;
}
