import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Asset } from '../../assets/types.ts';
import { walletField } from '../../definitions/fields.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

const AN_HOUR_S = 3600;

/** SVG and everything else that could act as a page stays out. */
export const SHOWN_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
];

export const galleryImage = defineOperation({
  name: 'gallery_image',
  methods: ['GET'],
  path: '/api/gallery/image/{wallet}/{slug}',
  tag: 'community',
  summary: 'A picture a wallet keeps with save_asset, by its key.',
  input: z.object({
    wallet: walletField,
    slug: z.string().min(1).max(ASSET_KEY_CHARACTERS_MAX).describe('Key of the asset.'),
  }),
  answer: { file: 'image/*', description: 'The bytes of the picture.' },
  reaches: 'assets:read',
  cacheSeconds: AN_HOUR_S,
  async run({ wallet, slug }, { assets }: Pick<Services, 'assets'>, { proof }) {
    const { asset, blob } = await assets.stream(wallet, slug);
    if (!isShown(asset)) {
      throw new AtelierError(
        'asset_not_found',
        `The asset "${slug}" is not a picture the gallery shows. It shows ${SHOWN_TYPES.join(', ')}.`,
      );
    }
    return {
      bytes: blob,
      version: asset.sha256,
      sha256: asset.sha256,
      contentType: typeOf(asset),
      headers: {
        // What a proof opened is for its owner alone.
        ...(proof && { 'Cache-Control': 'private, no-store' }),
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    };
  },
});

const typeOf = ({ contentType }: Pick<Asset, 'contentType'>): string =>
  contentType.split(';')[0]!.trim().toLowerCase();

export const isShown = (asset: Pick<Asset, 'contentType'>): boolean => SHOWN_TYPES.includes(typeOf(asset));
