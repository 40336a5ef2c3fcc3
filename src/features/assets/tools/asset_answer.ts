import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX } from '../../../config/limits.ts';
import { alsoCalled } from '../../definitions/spellings.ts';
import type { Asset, Assets, StorageUse } from '../types.ts';
export const keyField = alsoCalled(
  z
    .string()
    .min(1)
    .max(ASSET_KEY_CHARACTERS_MAX)
    .describe('Unique in the wallet: letters, digits, signs, slashes.'),
  ...['name', 'filename', 'file_name', 'asset_key', 'asset_name', 'asset', 'path', 'id'],
);

const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const assetFields = {
  key: z.string(),
  content_type: z.string(),
  size_bytes: bytes,
  sha256: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  url: z.string().describe('Signed link to the bytes, valid for 24 hours.'),
};

export const storageFields = z
  .object({ used_bytes: bytes, limit_bytes: bytes, free_bytes: bytes, earlier_bytes: bytes })
  .describe('What the wallet uses of its space; earlier versions and the trash take nothing of it.');

export const assetAnswer = (assets: Pick<Assets, 'linkTo'>, wallet: string, asset: Asset) => ({
  key: asset.key,
  content_type: asset.contentType,
  size_bytes: asset.sizeBytes,
  sha256: asset.sha256,
  metadata: asset.metadata,
  created_at: asset.createdAt.toISOString(),
  updated_at: asset.updatedAt.toISOString(),
  url: assets.linkTo(wallet, asset.key),
});

export const storageAnswer = ({ usedBytes, limitBytes, earlierBytes }: StorageUse) => ({
  used_bytes: usedBytes,
  limit_bytes: limitBytes,
  free_bytes: Math.max(0, limitBytes - usedBytes),
  earlier_bytes: earlierBytes,
});
