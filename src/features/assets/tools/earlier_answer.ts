import { z } from 'zod';
import type { EarlierAsset } from '../types.ts';

/** An earlier version of an asset, or a deleted asset. */
export const earlierFields = z.object({
  id: z.string().describe('Names it for restoring, reading and forgetting.'),
  key: z.string(),
  content_type: z.string(),
  size_bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  sha256: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  saved_at: z.string(),
  ended_at: z.string().describe('When it was replaced or deleted.'),
  deleted: z.boolean().describe('It was deleted, and not replaced.'),
  purge_at: z.string().nullable().describe('When it is forgotten; null while its key is there.'),
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

export const earlierId = z.string().min(1).max(100).describe('Of a version, or of something in the trash.');
