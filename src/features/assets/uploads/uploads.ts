import { hash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { identify } from '@atelier/imaging/codecs/identify.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_LIFETIME_MS, UPLOADS_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Links } from '../../../core/links/links.ts';
import {
  createHourlyFiles,
  type FileServiceOptions,
  fileNameIn,
  type ReadOptions,
} from '../../../core/storage/blobs/hourly_files.ts';
import { freePiece, type SpooledFile } from '../../../core/storage/blobs/spool.ts';
import { refuseTruncatedImage } from '../../../core/workers/image_header.ts';

/** Path of upload links, without the token. */
const PATH = '/api/uploads';
/** Placeholder in the link where nothing is expected. */
const ANY = '0';

/**
 * The link of an invitation. The token contains all of it, in characters that shells, chats and browsers leave unchanged: a copied
 * `curl -T file <link>` needs no quotes, which differ between systems.
 */
function invitationUrl(links: Links, { id, expected, expiresAt }: Omit<Invitation, 'fileExpiresAt'>): string {
  const terms = { bytes: String(expected.sizeBytes ?? ANY), sha256: expected.sha256 ?? ANY };
  const query = new URL(links.sign(PATH, { id, ...terms }, expiresAt)).searchParams;
  const sig = Buffer.from(query.get('sig')!, 'base64url').toString('hex');
  return `${links.publicUrl}${PATH}/${[id, query.get('exp'), terms.bytes, terms.sha256, sig].join('.')}`;
}

/** Verifies a token. @throws AtelierError upload_link_ended */
function readInvitationToken(
  links: Links,
  token: string,
): { id: string; expected: Expected; expiresAt: Date } {
  const [id = '', exp = '', bytes = '', sha256 = '', hex = ''] = token.split('.');
  const sig = Buffer.from(hex, 'hex').toString('base64url');
  if (!links.verify(PATH, { id, bytes, sha256 }, exp, sig)) throw new AtelierError('upload_link_ended');
  const expected = {
    ...(bytes !== ANY && { sizeBytes: Number(bytes) }),
    ...(sha256 !== ANY && { sha256 }),
  };
  return { id, expected, expiresAt: new Date(Number(exp) * 1000) };
}

/** Validity of an upload link. The lifetime of the file is that of any upload, from the creation of the link. */
export const UPLOAD_LINK_LIFETIME_MS = 20 * 60_000;

/**
 * Uploads are plain files for an hour; their declared type is returned to the sender and not stored. An invitation is the signed
 * id of a future file: it needs no storage until the file arrives, whose existence marks it as used.
 */
export function createUploads({
  objects,
  links,
  bytesMax = UPLOADS_BYTES_MAX,
  quota,
  reserve,
  now = Date.now,
}: FileServiceOptions): Uploads {
  const refuseTruncated = createTruncationCheck();
  const files = createHourlyFiles(objects, {
    lifetimeMs: UPLOAD_LIFETIME_MS,
    bytesMax,
    quota,
    reserve,
    now,
  });

  const described = ({ name: id, expiresAt }: { name: string; expiresAt: Date }) => {
    const name = fileNameIn(id);
    return { id, expiresAt, ...(name !== undefined && { name }) };
  };

  return {
    async keep(spooled, contentType, { expected = {}, id, fileName } = {}) {
      const { sizeBytes, sha256 } = spooled;
      checkSize(sizeBytes);
      refuseOthers('The file', spooled, expected);
      await refuseTruncated(spooled);
      const file = await files.addFile(spooled, id, fileName);
      if (!file) throw new AtelierError('upload_link_used');
      return { ...described(file), sha256, sizeBytes, contentType };
    },
    async keepBytes(bytes, contentType, { expected = {}, fileName } = {}) {
      const facts = { sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
      checkSize(facts.sizeBytes);
      refuseOthers('The file', facts, expected);
      refuseTruncatedImage(bytes);
      const file = await files.write(bytes, '', { fileName });
      return { ...described(file), ...facts, contentType };
    },
    requireRoom: (bytes) => files.requireRoom(bytes),
    async open(id, options) {
      const bytes = await files.read(id, options);
      if (bytes) return bytes;
      throw new AtelierError(
        'image_not_found',
        'Upload not found: the file has not arrived yet, or has expired after one hour. POST the bytes to /api/uploads, or call request_upload for a link.',
      );
    },
    sizeOf: async (id) => (await files.open(id))?.size,
    nameOf: fileNameIn,
    invite(expected = {}, fileName) {
      const id = files.newName(fileName);
      const terms = { id, expected, expiresAt: new Date(now() + UPLOAD_LINK_LIFETIME_MS) };
      return { ...terms, fileExpiresAt: files.expiryOf(id), url: invitationUrl(links, terms) };
    },
    readInvitation(token) {
      const invitation = readInvitationToken(links, token);
      return { ...invitation, fileExpiresAt: files.expiryOf(invitation.id) };
    },
    sweep: (at) => files.sweep(at),
  };
}

/** Bytes that `identify` reads. */
const IDENTIFIED_BYTES = 1024;

/**
 * A check that reads one image at a time into memory, and other files not at all.
 * @returns it throws AtelierError undecodable_image
 */
function createTruncationCheck(): (file: SpooledFile) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return async ({ path }) => {
    if (!('format' in identify(await beginningOf(path)))) return;
    const check = last.then(async () => {
      const bytes = await readFile(path);
      try {
        refuseTruncatedImage(bytes);
      } finally {
        freePiece(bytes);
      }
    });
    last = check.catch(() => {});
    await check;
  };
}

async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(IDENTIFIED_BYTES), 0, IDENTIFIED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function checkSize(sizeBytes: number): void {
  if (sizeBytes === 0)
    throw invalidField('body', 'The body is empty. Send the bytes of one file as the body.');
  if (sizeBytes > UPLOAD_BYTES_MAX) {
    throw new AtelierError(
      'payload_too_large',
      `The upload has ${sizeBytes} bytes. The limit is ${UPLOAD_BYTES_MAX}.`,
    );
  }
}

/** Uploaded bytes, referenced by handle and stored for an hour. */
export interface Uploads {
  /**
   * Stores a received file.
   * @param terms expected properties, and the invitation of the upload
   * @throws AtelierError bytes_differ; undecodable_image for a truncated image; upload_link_used where the invitation was used
   * before; too_much_kept, storage_full. Then nothing is stored, and the invitation stays valid
   */
  keep(file: SpooledFile, contentType: string, terms?: KeepTerms): Promise<Upload>;
  /** Stores a file in memory: made or unpacked by the server, or from a form. @throws as `keep` */
  keepBytes(bytes: Uint8Array, contentType: string, terms?: Omit<KeepTerms, 'id'>): Promise<Upload>;
  /** Checks the quota of the client before its bytes arrive. @throws AtelierError too_much_kept, storage_full */
  requireRoom(bytes: number): Promise<void>;
  /** Reads an upload. @throws AtelierError image_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<Uint8Array>;
  /** File name from the client, if any. */
  nameOf(id: string): string | undefined;
  /** Size of an upload in bytes; undefined where it is missing or has expired. */
  sizeOf(id: string): Promise<number | undefined>;
  /** Creates a signed link that accepts one file without credentials. Nothing is stored before the file arrives. */
  invite(expected?: Expected, fileName?: string): Invitation & { readonly url: string };
  /** Verifies the token in a link. @throws AtelierError upload_link_ended, also where it was modified */
  readInvitation(token: string): Invitation;
  sweep(now: Date): Promise<number>;
}

export interface KeepTerms {
  readonly expected?: Expected;
  /** The id of an invitation. */
  readonly id?: string;
  /** File name from the client; for an invitation, it is part of the id. */
  readonly fileName?: string | undefined;
}

/** Permission to upload one file. */
interface Invitation {
  /** Id of the future upload. */
  readonly id: string;
  readonly expected: Expected;
  /** When the link expires. */
  readonly expiresAt: Date;
  /** When the uploaded file would expire. */
  readonly fileExpiresAt: Date;
}

interface Upload {
  readonly id: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly expiresAt: Date;
  /** File name from the client. */
  readonly name?: string;
}

/** Properties declared by the sender, to detect truncated or corrupted uploads. */
export interface Expected {
  /** 64 hex digits, lower case. */
  readonly sha256?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

/**
 * @param what start of the sentence: "image", "The body"
 * @param bytes the bytes, or their number and sha256
 * @throws AtelierError bytes_differ, with the received values
 */
export function refuseOthers(
  what: string,
  bytes: Uint8Array | { readonly sizeBytes: number; readonly sha256: string },
  { sha256, sizeBytes }: Expected,
): void {
  const arrivedBytes = bytes instanceof Uint8Array ? bytes.length : bytes.sizeBytes;
  if (sizeBytes !== undefined && arrivedBytes !== sizeBytes) {
    throw differ(
      `${what} has ${arrivedBytes} bytes; expect_bytes says ${sizeBytes}. ${arrivedBytes < sizeBytes ? 'The transfer is incomplete.' : 'More bytes arrived than expected.'}`,
      { bytes: arrivedBytes },
    );
  }
  if (sha256 === undefined) return;
  const arrived = bytes instanceof Uint8Array ? hash('sha256', bytes, 'hex') : bytes.sha256;
  if (arrived === sha256) return;
  throw differ(`${what} has the sha256 ${arrived}; expect_sha256 says ${sha256}.`, {
    bytes: arrivedBytes,
    sha256: arrived,
  });
}

const differ = (detail: string, arrived: Record<string, unknown>): AtelierError =>
  new AtelierError('bytes_differ', `${detail} Nothing was stored. You were not charged.`, {
    members: { arrived },
  });
