import type { ReadOptions } from '../blobs/hourly_files.ts';

/** Bytes sent once and named by handle afterwards; kept for an hour. */
export interface Uploads {
  keep(bytes: Uint8Array, contentType: string): Promise<Upload>;
  /** @throws AtelierError image_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<Uint8Array>;
  sweep(now: Date): Promise<number>;
}

export interface Upload {
  readonly id: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly expiresAt: Date;
}
