import type { ReadOptions } from '../../../core/storage/blobs/hourly_files.ts';
import type { Expected } from './expected.ts';

/** Bytes sent once and named by handle afterwards; kept for an hour. */
export interface Uploads {
  /**
   * @param terms what the bytes have to be, and the invitation they come by
   * @throws AtelierError bytes_differ; undecodable_image for a picture that broke off; upload_link_used where a file has come by
   * the invitation before; too_much_kept, storage_full. Nothing is kept then, and the invitation stays good
   */
  keep(bytes: Uint8Array, contentType: string, terms?: KeepTerms): Promise<Upload>;
  /** @throws AtelierError image_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<Uint8Array>;
  /** How many bytes an upload has; undefined where nothing has come, or its hour is over. */
  sizeOf(id: string): Promise<number | undefined>;
  /** A link that takes one file without any credentials. It is signed, and nothing is kept before a file comes. */
  invite(expected?: Expected): Invitation & { readonly url: string };
  /** What the last part of such a link stands for. @throws AtelierError upload_link_ended, also where it was changed */
  readInvitation(token: string): Invitation;
  sweep(now: Date): Promise<number>;
}

export interface KeepTerms {
  readonly expected?: Expected;
  /** The id of an invitation. */
  readonly id?: string;
}

/** A promise to take one file. */
export interface Invitation {
  /** The id the upload will have. */
  readonly id: string;
  readonly expected: Expected;
  /** When the link ends. */
  readonly expiresAt: Date;
  /** When the file would. */
  readonly fileExpiresAt: Date;
}

export interface Upload {
  readonly id: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly expiresAt: Date;
}
