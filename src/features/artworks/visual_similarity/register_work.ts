import { createHash } from 'node:crypto';
import { HASH_QUALITY_MIN } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { Hashes } from '../../provenance/hashes/types.ts';
import type { ArtworkRecord } from '../records/record.ts';

interface RegisterWorkDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly hashes: Pick<Hashes, 'registerWork'>;
  readonly signal: AbortSignal;
}

/**
 * Registers an image of a work in the dataset, so that crops of it, and images that contain it, are
 * recognised as the work, like copies of any registered image. Idempotent for the same file.
 * @throws AtelierError of the image; unsuitable_image for one with too little detail
 */
export async function registerWork(
  work: ArtworkRecord,
  bytes: Uint8Array,
  { pixels, hashes, signal }: RegisterWorkDeps,
): Promise<void> {
  const { width, height } = pictureHeader(bytes);
  const control = { pixels: width * height, signal };
  const { engine: _, ...fingerprint } = await pixels.run(
    'fingerprint',
    { bytes, purpose: 'register' },
    control,
  );
  if (fingerprint.quality < HASH_QUALITY_MIN) {
    throw new AtelierError(
      'unsuitable_image',
      `It is too flat to be told from others by its looks (quality ${fingerprint.quality}, at least ${HASH_QUALITY_MIN} is needed).`,
    );
  }
  await hashes.registerWork({
    ...fingerprint,
    pdq: fingerprint.hashes[0]!,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    workId: work.id,
    title: work.title,
    artist: work.artists.map(({ name }) => name).join('; '),
    provenanceUri: work.source_url,
  });
}
