import type { ReadOptions } from '../../../core/storage/blobs/hourly_files.ts';
import type { SpooledFile } from '../../../core/storage/blobs/spool.ts';
import type { Expected } from './expected.ts';

/** Uploaded bytes, referenced by handle and stored for an hour. */
export interface Uploads {
  /**
   * @param terms expected properties, and the invitation of the upload
   * @throws AtelierError bytes_differ; undecodable_image for a truncated image; upload_link_used where the invitation was used
   * before; too_much_kept, storage_full. Then nothing is stored, and the invitation stays valid
   */
  keep(file: SpooledFile, contentType: string, terms?: KeepTerms): Promise<Upload>;
  /** Stores a file that is in memory: one that the server made or unpacked, or that came in a form. @throws as `keep` */
  keepBytes(bytes: Uint8Array, contentType: string, terms?: Omit<KeepTerms, 'id'>): Promise<Upload>;
  /** Checks the quota of the client before its bytes arrive. @throws AtelierError too_much_kept, storage_full */
  requireRoom(bytes: number): Promise<void>;
  /** @throws AtelierError image_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<Uint8Array>;
  /** What the client called the file; undefined where it did not say. */
  nameOf(id: string): string | undefined;
  /** Size of an upload in bytes; undefined where it is missing or has expired. */
  sizeOf(id: string): Promise<number | undefined>;
  /** Creates a link that takes one file without credentials. The link is signed; nothing is stored before the file arrives. */
  invite(expected?: Expected, fileName?: string): Invitation & { readonly url: string };
  /** Verifies the token in a link. @throws AtelierError upload_link_ended, also where it was modified */
  readInvitation(token: string): Invitation;
  sweep(now: Date): Promise<number>;
}

export interface KeepTerms {
  readonly expected?: Expected;
  /** The id of an invitation. */
  readonly id?: string;
  /** What the client calls the file; of an invitation it is part of the id. */
  readonly fileName?: string | undefined;
}

/** Permission to upload one file. */
export interface Invitation {
  /** Id of the future upload. */
  readonly id: string;
  readonly expected: Expected;
  /** When the link expires. */
  readonly expiresAt: Date;
  /** When the uploaded file would expire. */
  readonly fileExpiresAt: Date;
}

export interface Upload {
  readonly id: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly expiresAt: Date;
  /** What the client called it. */
  readonly name?: string;
}
