import type { ReadOptions } from '../../../core/storage/blobs/hourly_files.ts';

/** Files produced by calls, stored for a day behind a signed link. */
export interface Results {
  /**
   * Stores a result. `id` is unguessable; `url` is signed and expires. `durable` syncs to disk (paid calls); `copies`: copies of
   * the bytes in memory until the end of the call; `fileName`: default: the name of the image of the call.
   * @throws AtelierError storage_full, too_much_kept, busy
   */
  keep(
    bytes: Uint8Array,
    contentType: string,
    options?: { durable?: boolean; copies?: number; fileName?: string | undefined },
  ): Promise<KeptResult>;
  /** Stores a file that `fill` writes to the given path: for files too large for memory. */
  make<T>(contentType: string, fill: (path: string) => Promise<T>, fileName?: string): Promise<MadeResult<T>>;
  /** Checks the total and the quota of the client without using them. @throws AtelierError storage_full, too_much_kept */
  requireRoom(bytes: number): Promise<void>;
  /** @throws AtelierError result_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<{ bytes: Uint8Array; contentType: string }>;
  /** The same as a stream from the disk. @throws AtelierError result_not_found */
  stream(id: string): Promise<{ blob: Blob; contentType: string }>;
  /** The name of its file as the client knows it; undefined where it was made of none with a name. */
  nameOf(id: string): string | undefined;
  /** The signed URL of a result, for its lifetime. */
  linkTo(id: string): string;
  /** Whether the signature of the link is valid and has not expired. */
  verifyLink(id: string, expiresAt: string, signature: string): boolean;
  /** Deletes expired files; returns their number. */
  sweep(now: Date): Promise<number>;
}

export interface KeptResult {
  /** `result:<id>` */
  readonly handle: string;
  readonly url: string;
  readonly expiresAt: Date;
  /** As `nameOf`. */
  readonly name?: string;
}

export interface MadeResult<T> extends KeptResult {
  readonly sizeBytes: number;
  /** Result of `fill`. */
  readonly made: T;
}
