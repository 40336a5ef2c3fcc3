import { createHash } from 'node:crypto';
import { UPLOAD_BYTES_MAX, UPLOAD_LIFETIME_MS, UPLOADS_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Links } from '../../../core/links/types.ts';
import type { Shares } from '../../../core/quotas/types.ts';
import type { Reserve } from '../../../core/request_scope/types.ts';
import { createHourlyFiles } from '../../../core/storage/blobs/hourly_files.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import { refuseBrokenOff } from '../../../core/workers/image_header.ts';
import { refuseOthers } from './expected.ts';
import { invitationUrl, readInvitationToken } from './invitations.ts';
import { UPLOAD_LINK_LIFETIME_MS } from './limits.ts';
import type { Uploads } from './types.ts';

interface UploadsOptions {
  readonly objects: Objects;
  /** Signs invitations. */
  readonly links: Links;
  readonly bytesMax?: number;
  readonly shares?: Shares;
  readonly reserve?: Reserve;
  readonly now?: () => number;
}

/**
 * Uploads are plain files for an hour; what type they claim to be is repeated to the sender and then forgotten. An invitation is the
 * name of a file that is not there yet, signed: it costs nothing until the file comes, and the file makes it used.
 */
export function createUploads({
  objects,
  links,
  bytesMax = UPLOADS_BYTES_MAX,
  shares,
  reserve,
  now = Date.now,
}: UploadsOptions): Uploads {
  const files = createHourlyFiles(objects, {
    lifetimeMs: UPLOAD_LIFETIME_MS,
    ...{ bytesMax, shares, reserve, now },
  });

  return {
    async keep(bytes, contentType, { expected = {}, id } = {}) {
      checkSize(bytes);
      refuseOthers('The file', bytes, expected);
      refuseBrokenOff(bytes);
      const file = id === undefined ? await files.write(bytes, '') : await files.add(id, bytes);
      if (!file) throw new AtelierError('upload_link_used');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { id: file.name, sha256, sizeBytes: bytes.length, contentType, expiresAt: file.expiresAt };
    },
    async open(id, options) {
      const bytes = await files.read(id, options);
      if (bytes) return bytes;
      throw new AtelierError(
        'image_not_found',
        'There is no such upload here: nothing has come by its link yet, or its hour is over. POST the bytes to /api/uploads, or ask request_upload for a link.',
      );
    },
    sizeOf: async (id) => (await files.open(id))?.size,
    invite(expected = {}) {
      const id = files.newName();
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

function checkSize(bytes: Uint8Array): void {
  if (bytes.length === 0)
    throw invalidField('body', 'The body is empty. Send the bytes of one file as the body.');
  if (bytes.length > UPLOAD_BYTES_MAX) {
    throw new AtelierError(
      'payload_too_large',
      `An upload has at most ${UPLOAD_BYTES_MAX} bytes; this one has ${bytes.length}.`,
    );
  }
}
