import { createHash } from 'node:crypto';
import { AtelierError, invalidField } from '../../errors/atelier_error.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_LIFETIME_MS, UPLOADS_BYTES_MAX } from '../../limits.ts';
import { createHourlyFiles } from '../blobs/hourly_files.ts';
import type { Shares } from '../blobs/shares.ts';
import type { Reserve } from '../visits/contract.ts';
import type { Uploads } from './contract.ts';

interface UploadsOptions {
  readonly folder: string;
  readonly bytesMax?: number;
  readonly shares?: Shares;
  readonly reserve?: Reserve;
  readonly now?: () => number;
}

/** Uploads are plain files for an hour; what type they claim to be is repeated to the sender and then forgotten. */
export function createUploads({
  folder,
  bytesMax = UPLOADS_BYTES_MAX,
  shares,
  reserve,
  now = Date.now,
}: UploadsOptions): Uploads {
  const files = createHourlyFiles(folder, {
    lifetimeMs: UPLOAD_LIFETIME_MS,
    ...{ bytesMax, shares, reserve, now },
  });

  return {
    async keep(bytes, contentType) {
      checkSize(bytes);
      const { name, expiresAt } = await files.write(bytes, '');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { id: name, sha256, sizeBytes: bytes.length, contentType, expiresAt };
    },
    async open(id, options) {
      const bytes = await files.read(id, options);
      if (bytes) return bytes;
      throw new AtelierError(
        'image_not_found',
        'There is no such upload here. Uploads are kept for an hour; POST the bytes to /api/uploads again.',
      );
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
