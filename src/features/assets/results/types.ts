import type { ReadOptions } from '../../../core/storage/blobs/hourly_files.ts';

/** Files a call produced, kept for a day behind a signed link. */
export interface Results {
  /**
   * Keeps the bytes. `id` is unguessable; `url` is signed and expires. `durable` waits for the disk (paid calls); `copies`:
   * how often the bytes will be in memory until the call is over. @throws AtelierError storage_full, too_much_kept, busy
   */
  keep(
    bytes: Uint8Array,
    contentType: string,
    options?: { durable?: boolean; copies?: number },
  ): Promise<KeptResult>;
  /** Keeps a file that `fill` writes to the path it is given: for what is too large to pass through memory. */
  make<T>(contentType: string, fill: (path: string) => Promise<T>): Promise<MadeResult<T>>;
  /** @throws AtelierError result_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<{ bytes: Uint8Array; contentType: string }>;
  /** The same for whoever passes it on: read from the disk as it is used. @throws AtelierError result_not_found */
  stream(id: string): Promise<{ blob: Blob; contentType: string }>;
  /** The signed address of a result, for as long as it is kept. */
  linkTo(id: string): string;
  /** True when the link's signature is ours and it has not expired. */
  verifyLink(id: string, expiresAt: string, signature: string): boolean;
  /** Deletes what has expired; returns how many files went. */
  sweep(now: Date): Promise<number>;
}

export interface KeptResult {
  /** `result:<id>` */
  readonly handle: string;
  readonly url: string;
  readonly expiresAt: Date;
}

export interface MadeResult<T> extends KeptResult {
  readonly sizeBytes: number;
  /** What `fill` answered. */
  readonly made: T;
}
