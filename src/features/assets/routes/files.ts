import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { messagePage } from '../../../core/html/html_page.ts';
import { croissant } from '../../artworks/routes/croissant.ts';
import { openArtworkBatch } from '../../artworks/routes/open_artwork_batch.ts';
import { openArtworkPicture } from '../../artworks/routes/open_artwork_picture.ts';
import { snapshotOperations } from '../../artworks/routes/open_snapshot.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import { strangersStoredFile } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';
import { uploadPageFor } from '../pages/upload_page.ts';
import { upload, uploadByLink } from './upload.ts';

/** The key is in the query: proxies decode or collapse slashes and dots in a path. */
export const openAssetLink = defineOperation({
  name: 'open_asset_link',
  methods: ['GET'],
  path: '/api/assets',
  tag: 'files',
  summary:
    'The bytes of a stored asset, behind the signed link the asset tools answer (url), until url_expires_at.',
  input: z.object({
    wallet: z.string().max(42).default('').describe('Part of the link.'),
    key: z.string().max(ASSET_KEY_CHARACTERS_MAX).default('').describe('Part of the link.'),
    from: z.string().max(20).default('').describe('Part of a link for more than 24 hours.'),
    made: z.string().max(20).default('').describe('Part of a link for more than 24 hours.'),
    by: z.string().max(100).default('').describe('Part of a link that a key asked for.'),
    exp: z.string().max(20).default('').describe('End of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  leadsTo: 'The bytes in the object store, where the operator has links answered there.',
  answer: { file: '*/*', description: 'The bytes, with the type they were saved as.' },

  async run(link, { assets }: Pick<Services, 'assets'>) {
    const { wallet, key } = link;
    if (!(await assets.verifyLink(link))) {
      throw new AtelierError(
        'asset_not_found',
        'This link has expired or was changed. get_asset and list_assets answer fresh links.',
      );
    }
    const { asset, blob } = await assets.stream(wallet, key);
    const { sha256, contentType } = asset;
    return strangersStoredFile(
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
  summary: 'The file of a call, behind the signed link its answer named (result_url), for 24 hours.',
  input: z.object({
    id: z.string().max(250).describe('Part of the link.'),
    exp: z.string().max(20).default('').describe('End of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  leadsTo: 'The bytes in the object store, where the operator has links answered there.',
  answer: { file: '*/*', description: 'The bytes, with the type they were made as.' },

  async run({ id, exp, sig }, { results }: Pick<Services, 'results'>) {
    if (!results.verifyLink(id, exp, sig)) {
      throw new AtelierError(
        'result_not_found',
        'This link has expired or was changed. Links to results work for 24 hours; run the call again.',
      );
    }
    const { blob, contentType } = await results.stream(id);
    // The bytes of an id never change.
    const name = results.nameOf(id);
    return strangersStoredFile(
      { bytes: blob, version: id, contentType, name },
      'private, max-age=3600, immutable',
    );
  },
});

/** Upload page of the link in a browser. An expired link is reported as a page, because people open it, not programs. */
const uploadPage = defineOperation({
  name: 'upload_page',
  methods: ['GET'],
  path: '/api/uploads/{token}',
  tag: 'files',
  summary: 'The page where a person chooses or drops the file an upload link is for.',
  input: z.object({ token: z.string().max(500).describe('Part of the link.') }),
  answer: { file: 'text/html', description: 'A place to drop a file, or what became of the link.' },
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
  'The file is there',
  'A file has come by this link. Go back to your assistant and tell it so; for another file, ask it for another link.',
] as const;
const ENDED = [
  'This link has ended',
  'Upload links work for 20 minutes and exactly as they were given. Ask your assistant for a new one.',
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
