import { z } from 'zod';
import type { EarlierAsset } from '../types.ts';

/** An earlier version of an asset, or a deleted asset. */
export const earlierFields = z.object({
  id: z.string().describe('Id to restore, read or delete it.'),
  key: z.string(),
  content_type: z.string(),
  size_bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  sha256: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  saved_at: z.string(),
  ended_at: z.string().describe('When it was replaced or deleted.'),
  deleted: z.boolean().describe('true: deleted; false: replaced.'),
  purge_at: z.string().nullable().describe('When it is permanently deleted; null while its key exists.'),
});

export const earlierAnswer = (earlier: EarlierAsset): z.input<typeof earlierFields> => ({
  id: earlier.id,
  key: earlier.key,
  content_type: earlier.contentType,
  size_bytes: earlier.sizeBytes,
  sha256: earlier.sha256,
  metadata: earlier.metadata,
  saved_at: earlier.savedAt.toISOString(),
  ended_at: earlier.endedAt.toISOString(),
  deleted: earlier.isDeleted,
  purge_at: earlier.purgeAt?.toISOString() ?? null,
});

export const earlierId = z.string().min(1).max(100).describe('Id of a version or of a deleted asset.');
