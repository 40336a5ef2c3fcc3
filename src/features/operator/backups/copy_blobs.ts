import { blobName } from '../../../core/storage/blobs/blob_name.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import type { Steps } from './deps.ts';
import { eachBlob } from './each_blob.ts';
import type { KeptObjects } from './kept_objects.ts';
import { DAMAGED_MAX } from './limits.ts';

interface CopiedBlobs {
  readonly bytes: number;
  readonly addedBytes: number;
  /** Those that are gone, or are not what was kept. */
  readonly damaged: string[];
}

/**
 * Keeps the listed blobs that are not kept yet. None of them is deleted meanwhile.
 * @throws Error where more of them are damaged than can be an accident
 */
export async function copyBlobs(
  blobs: Objects,
  objects: KeptObjects,
  { lists, count, steps }: { lists: string[]; count: number; steps: Steps },
): Promise<CopiedBlobs> {
  const copied = { bytes: 0, addedBytes: 0, damaged: [] as string[] };
  await eachBlob({ lists, count }, { objects, steps }, async (sha256) => {
    const kept = await objects.sizeOf(sha256);
    if (kept !== undefined) {
      copied.bytes += kept;
      return;
    }
    const bytes = await blobs.read(blobName(sha256));
    if (bytes && objects.nameOf(bytes) === sha256) {
      const { addedBytes } = await objects.put(bytes);
      copied.bytes += bytes.length;
      copied.addedBytes += addedBytes;
      return;
    }
    copied.damaged.push(sha256);
    if (copied.damaged.length > DAMAGED_MAX)
      throw new Error(
        `More than ${DAMAGED_MAX} blobs that the database names are damaged or gone. Do DATA_DIR and STORAGE_URL name where this database keeps its bytes?`,
      );
  });
  return copied;
}
