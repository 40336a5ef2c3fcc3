import { z } from 'zod';
import { AtelierError } from '../../errors.ts';
import type { Services } from '../../services/services.ts';
import { defineOperation } from '../operation.ts';

export const openArtworkBatch = defineOperation({
  name: 'open_artwork_batch',
  methods: ['GET'],
  path: '/api/artworks/batch',
  tag: 'files',
  summary:
    'The works of a batch_download as JSON Lines, one record a line, behind the signed link its answer names (jsonl_url), for 24 hours.',
  input: z.object({
    edition: z.string().max(10).default('').describe('Part of the link.'),
    from: z.string().max(120).default('').describe('Part of the link.'),
    count: z.string().max(10).default('').describe('Part of the link.'),
    exp: z.string().max(20).default('').describe('End of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  answer: { file: 'application/jsonl', description: 'One record a line, with its id, sha256 and rights.' },

  async run({ edition, from, count, exp, sig }, { artworks }: Pick<Services, 'artworks'>) {
    if (!artworks.verifyBatchLink({ edition, from, count }, exp, sig)) {
      throw new AtelierError(
        'result_not_found',
        'This link has expired or was changed. batch_download answers a fresh one.',
      );
    }
    const { works } = await artworks.page({ edition: Number(edition), from, limit: Number(count) });
    return {
      bytes: works.map(({ record, sha256 }) => `${JSON.stringify({ ...record, sha256 })}\n`).join(''),
      contentType: 'application/jsonl',
      headers: {
        'Cache-Control': 'private, max-age=3600',
        'Content-Disposition': 'attachment; filename="artworks.jsonl"',
      },
    };
  },
});
