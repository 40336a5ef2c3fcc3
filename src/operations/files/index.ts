import type { AnyOperation } from '../operation.ts';
import { croissant } from './croissant.ts';
import { openArtworkBatch } from './open_artwork_batch.ts';
import { openArtworkPicture } from './open_artwork_picture.ts';
import { openAssetLink } from './open_asset_link.ts';
import { openResult } from './open_result.ts';
import { openSnapshot } from './open_snapshot.ts';
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
