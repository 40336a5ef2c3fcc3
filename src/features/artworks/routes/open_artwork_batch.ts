import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { StoredRecord } from '../records/record_store.ts';
import { downloadOf } from '../tools/batch_download.ts';
import type { Artworks, BatchPage } from '../types.ts';

/** Works read per batch while lines are sent. */
const BATCH_READ_ROWS = 250;

export const openArtworkBatch = defineOperation({
  name: 'open_artwork_batch',
  methods: ['GET'],
  path: '/api/artworks/batch',
  tag: 'files',
  summary:
    'The works of a batch_download as JSON Lines, behind its signed link (jsonl_url), for 24 hours; after=<credit_id of the last whole line> continues a broken stream.',
  input: z.object({
    edition: z.string().max(10).default('').describe('Part of the link.'),
    from: z.string().max(120).default('').describe('Part of the link.'),
    to: z.string().max(120).default('').describe('Part of the link.'),
    has_image: z.enum(['', 'true']).default('').describe('Part of the link.'),
    exp: z.string().max(20).default('').describe('End of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
    after: z.string().max(120).default('').describe('Only works after this one.'),
  }),
  answer: { file: 'application/jsonl', description: 'One object a line, as in downloads of batch_download.' },

  async run({ edition, from, to, has_image, exp, sig, after }, { artworks }: Pick<Services, 'artworks'>) {
    const link: BatchPage = { edition, from, to, ...(has_image && { has_image }) };
    if (!artworks.verifyBatchLink(link, exp, sig)) {
      throw new AtelierError(
        'result_not_found',
        'This link has expired or was changed. batch_download answers a fresh one.',
      );
    }
    // Read before the response begins, so that an expired edition gives a problem document, not a broken
    // stream.
    const { works } = await artworks.page(pageOf(link, after));
    return {
      chunks: () => lines(artworks, link, works),
      contentType: 'application/jsonl',
      headers: {
        'Cache-Control': 'private, no-store',
        'Content-Disposition': 'attachment; filename="artworks.jsonl"',
      },
    };
  },
});

/** Lines of the works, batch by batch; the next batch is read once the previous one has been consumed. */
async function* lines(
  artworks: Pick<Artworks, 'page' | 'link'>,
  link: BatchPage,
  first: readonly StoredRecord[],
): AsyncGenerator<string> {
  let works = first;
  while (works.length > 0) {
    yield works.map((work) => `${JSON.stringify(downloadOf(work, artworks))}\n`).join('');
    const last = works.at(-1)!.record.id;
    if (works.length < BATCH_READ_ROWS) return;
    works = (await artworks.page(pageOf(link, last))).works;
  }
}

const pageOf = ({ edition, from, to, has_image }: BatchPage, after: string) => ({
  edition: Number(edition),
  from,
  to,
  after,
  hasImage: has_image === 'true',
  limit: BATCH_READ_ROWS,
});
