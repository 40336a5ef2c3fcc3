import { croissant } from '../../artworks/routes/croissant.ts';
import { openArtworkBatch } from '../../artworks/routes/open_artwork_batch.ts';
import { openArtworkPicture } from '../../artworks/routes/open_artwork_picture.ts';
import { openSnapshot } from '../../artworks/routes/open_snapshot.ts';
import type { AnyOperation } from '../../definitions/operation.ts';
import { openAssetLink } from './open_asset_link.ts';
import { openResult } from './open_result.ts';
import { upload, uploadByLink } from './upload.ts';
import { uploadPage } from './upload_page.ts';

export const fileOperations: readonly AnyOperation[] = [
  upload,
  uploadByLink,
  uploadPage,
  openResult,
  openAssetLink,
  openArtworkPicture,
  openArtworkBatch,
  openSnapshot,
  croissant,
];
