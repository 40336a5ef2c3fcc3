import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { messagePage } from '../../../core/html/html_page.ts';
import { openArtworkBatch } from '../../artworks/routes/open_artwork_batch.ts';
import { openArtworkPicture } from '../../artworks/routes/open_artwork_picture.ts';
import { croissant, snapshotOperations } from '../../artworks/routes/snapshots.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import { untrustedStoredFile } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';
import { uploadPageFor } from '../pages/upload_page.ts';
import { upload, uploadByLink } from './upload.ts';

/** The key is in the query: proxies decode or collapse slashes and dots in a path. */
export const openAssetLink = defineOperation({
  name: 'open_asset_link',
  methods: ['GET'],
  path: '/api/assets',
  tag: 'files',
  summary: 'The bytes of a stored asset, by the signed link of the asset tools (url), until url_expires_at.',
  input: z.object({
    wallet: z.string().max(42).default('').describe('Part of the link.'),
    key: z.string().max(ASSET_KEY_CHARACTERS_MAX).default('').describe('Part of the link.'),
    from: z.string().max(20).default('').describe('Part of a link for more than 24 hours.'),
    made: z.string().max(20).default('').describe('Part of a link for more than 24 hours.'),
    by: z.string().max(100).default('').describe('Part of a link created with a key.'),
    exp: z.string().max(20).default('').describe('Expiry of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  leadsTo: 'The bytes in the object store, if the operator serves links from it.',
  answer: { file: '*/*', description: 'The bytes, with their stored media type.' },

  async run(link, { assets }: Pick<Services, 'assets'>) {
    const { wallet, key } = link;
    if (!(await assets.verifyLink(link))) {
      throw new AtelierError(
        'asset_not_found',
        'This link is expired or invalid. get_asset and list_assets return new links.',
      );
    }
    const { asset, blob } = await assets.stream(wallet, key);
    const { sha256, contentType } = asset;
    return untrustedStoredFile(
      { bytes: blob, version: sha256, sha256, contentType, name: key },
      'private, no-cache',
    );
  },
});

export const openResult = defineOperation({
  name: 'open_result',
  methods: ['GET'],
  path: '/api/results/{id}',
  tag: 'files',
  summary: 'The file of a call, by the signed link in its response (result_url), for 24 hours.',
  input: z.object({
    id: z.string().max(250).describe('Part of the link.'),
    exp: z.string().max(20).default('').describe('Expiry of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  leadsTo: 'The bytes in the object store, if the operator serves links from it.',
  answer: { file: '*/*', description: 'The bytes, with their media type.' },

  async run({ id, exp, sig }, { results }: Pick<Services, 'results'>) {
    if (!results.verifyLink(id, exp, sig)) {
      throw new AtelierError(
        'result_not_found',
        'This link is expired or invalid. Links to results are valid for 24 hours. Run the call again.',
      );
    }
    const { blob, contentType } = await results.stream(id);
    // The bytes of an id never change.
    const name = results.nameOf(id);
    return untrustedStoredFile(
      { bytes: blob, version: id, contentType, name },
      'private, max-age=3600, immutable',
    );
  },
});

/** Upload page of the link in a browser. An expired link is reported as a page, because people open it. */
const uploadPage = defineOperation({
  name: 'upload_page',
  methods: ['GET'],
  path: '/api/uploads/{token}',
  tag: 'files',
  summary: 'The page where a person chooses or drops the file an upload link is for.',
  input: z.object({ token: z.string().max(500).describe('Part of the link.') }),
  answer: { file: 'text/html', description: 'A form to drop a file, or the state of the link.' },
  async run({ token }, { uploads }: Pick<Services, 'uploads'>) {
    try {
      const { id, expiresAt } = uploads.readInvitation(token);
      const isUsed = (await uploads.sizeOf(id)) !== undefined;
      return isUsed ? messagePage(...USED) : uploadPageFor(expiresAt);
    } catch (error) {
      if (!(error instanceof AtelierError) || error.code !== 'upload_link_ended') throw error;
      return messagePage(...ENDED);
    }
  },
});

const USED = [
  'File uploaded',
  'A file was uploaded with this link. Go back to your assistant and tell it. For another file, ask it for another link.',
] as const;
const ENDED = [
  'This link has expired',
  'Upload links are valid for 20 minutes and only if complete. Ask your assistant for a new one.',
] as const;

export const fileOperations: readonly AnyOperation[] = [
  upload,
  uploadByLink,
  uploadPage,
  openResult,
  openAssetLink,
  openArtworkPicture,
  openArtworkBatch,
  ...snapshotOperations,
  croissant,
];
