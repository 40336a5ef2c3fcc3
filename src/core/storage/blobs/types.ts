import type { AtelierError } from '../../errors/atelier_error.ts';

/** Checksums of a file of more than one MiB. */
export interface BlobChecksums {
  readonly bytes: number;
  /** SHA-256 of each MiB, concatenated. */
  readonly chunks: Uint8Array;
}

/** Metadata of stored files in the database, apart from their references. */
export interface BlobRecords {
  /** After storing or reading a file in full: clears its damage. */
  saveChecksums(sha256: string, checksums: BlobChecksums): Promise<void>;
  checksumsOf(sha256: string): Promise<BlobChecksums | undefined>;
  saveDamage(sha256: string, isMissing: boolean): Promise<void>;
  removeDamage(sha256: string): Promise<void>;
  /** Of deleted files. */
  forget(sha256s: readonly string[]): Promise<void>;
}

export interface DamagedBlob {
  readonly sha256: string;
  /** False where the bytes exist but differ. */
  readonly isMissing: boolean;
  readonly foundAt: Date;
}

/** A stored file, streamed from the disk. */
export interface StoredBytes extends Blob {
  /** Records bytes that do not match the sha256 of the file. Returns the error to throw. */
  reportDamage?(): AtelierError;
}

/** Content-addressed bytes on disk: written under a temporary name, synced, renamed. */
export interface Blobs {
  /** Stores bytes durably and returns their sha256 in hex. Idempotent. */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * @param options `copies`: copies of the bytes in memory
   * @throws AtelierError stored_file_damaged when the bytes are missing or do not match; payload_too_large above `bytesMax`, before
   * anything is read; busy
   */
  get(sha256: string, options?: { bytesMax?: number; copies?: number }): Promise<Uint8Array>;
  /**
   * Opens a blob for streaming from the disk. A slice verifies each MiB before it yields bytes of it; the reader of the whole blob
   * verifies it at the end.
   * @throws AtelierError stored_file_damaged when it is missing; streams of slices throw it too
   */
  open(sha256: string): Promise<StoredBytes>;
  /** Deletes every unreferenced blob older than `olderThan`. */
  sweep(isUsed: (sha256s: string[]) => Promise<Set<string>>, olderThan: Date): Promise<number>;
}
