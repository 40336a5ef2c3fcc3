import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import { untrustedFile } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';
import type { PictureSize } from '../images/sizes.ts';

export const openArtworkPicture = defineOperation({
  name: 'open_artwork_picture',
  methods: ['GET'],
  path: '/api/artworks/picture',
  tag: 'files',
  alsoFails: [502],
  summary:
    'The picture of a museum work, behind the signed link get_artwork answers (image.download_url), for 24 hours. 502 where the museum does not give it.',
  input: z.object({
    id: z.string().max(120).default('').describe('Part of the link.'),
    size: z.string().max(10).default('').describe('Part of the link.'),
    exp: z.string().max(20).default('').describe('End of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  answer: { file: 'image/*', description: 'The picture, as the museum has it or smaller.' },

  async run({ id, size, exp, sig }, { artworks }: Pick<Services, 'artworks'>) {
    if (!artworks.verifyLink(id, size, exp, sig)) {
      throw new AtelierError(
        'image_not_found',
        'This link has expired or was changed. get_artwork answers a fresh one.',
      );
    }
    // The link is signed by this server, so the size is valid.
    const { bytes, contentType } = await artworks.picture(id, size as PictureSize);
    return untrustedFile(bytes, contentType, 'private, max-age=86400');
  },
});
