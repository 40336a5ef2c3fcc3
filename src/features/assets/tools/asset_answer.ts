import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX } from '../../../config/limits.ts';
import { briefly } from '../../definitions/brief.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { LINK_DAYS_MAX } from '../limits.ts';
import type { Asset, Assets, EarlierAsset, LinkTerms, StorageUse } from '../types.ts';

export const keyField = withAliases(
  briefly(
    z
      .string()
      .min(1)
      .max(ASSET_KEY_CHARACTERS_MAX)
      .describe('Unique in the wallet: letters, digits, symbols, slashes.'),
    '',
  ),
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
  url: z.string().describe('Signed link to the bytes: anyone with the link can read them.'),
  url_expires_at: z.string().describe('Expiry of the link: 24 hours from now, or link_days.'),
};

/** Validity of the link in a response. */
export const linkDaysField = withAliases(
  briefly(
    z
      .int()
      .min(1)
      .max(LINK_DAYS_MAX)
      .default(1)
      .describe(
        `Days the link is valid, up to ${LINK_DAYS_MAX}. It ends early if the file is deleted, the wallet is locked, or the key that created it expires.`,
      )
      .meta({ title: 'Days the link is valid' }),
    'how long url works',
  ),
  ...['expires_in_days', 'link_lifetime_days', 'days', 'valid_days'],
);

export const storageFields = z
  .object({ used_bytes: bytes, limit_bytes: bytes, free_bytes: bytes, earlier_bytes: bytes })
  .describe('Storage used by the wallet; earlier versions and the trash do not count.');

/** An asset as a response. @param terms of a link for more than a day */
export const assetAnswer = (
  assets: Pick<Assets, 'linkTo' | 'lastingLinkTo'>,
  wallet: string,
  asset: Asset,
  terms: LinkTerms = { days: 1 },
) => {
  const link = terms.days > 1 ? assets.lastingLinkTo(wallet, asset, terms) : assets.linkTo(wallet, asset.key);
  return {
    key: asset.key,
    content_type: asset.contentType,
    size_bytes: asset.sizeBytes,
    sha256: asset.sha256,
    metadata: asset.metadata,
    created_at: asset.createdAt.toISOString(),
    updated_at: asset.updatedAt.toISOString(),
    url: link.url,
    url_expires_at: link.expiresAt.toISOString(),
  };
};

export const storageAnswer = ({ usedBytes, limitBytes, earlierBytes }: StorageUse) => ({
  used_bytes: usedBytes,
  limit_bytes: limitBytes,
  free_bytes: Math.max(0, limitBytes - usedBytes),
  earlier_bytes: earlierBytes,
});

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
