import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { DATASET_ID } from '../tools/open_museums.ts';

/** A snapshot never changes. */
const A_DAY_S = 86_400;

export const openSnapshot = defineOperation({
  name: 'open_snapshot',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/{snapshot}/artworks.jsonl',
  tag: 'files',
  summary:
    'All records of a snapshot as JSON Lines, without their pictures, free: the file its Croissant card describes. Always the same bytes; takes Range and gzip.',
  input: z.object({
    dataset_id: z.string().max(100).describe(`${DATASET_ID} is the only one here.`),
    snapshot: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be the number of a snapshot, such as 3')
      .describe('Its number, as the Croissant card names it.'),
  }),
  answer: { file: 'application/jsonl', description: 'One record a line.' },
  limit: { name: 'snapshots', calls: 600, perSeconds: 3600, by: 'address' },
  cacheSeconds: A_DAY_S,

  async run({ dataset_id, snapshot }, { artworks }: Pick<Services, 'artworks'>) {
    if (dataset_id !== DATASET_ID)
      throw new AtelierError('not_found', `There is no dataset "${dataset_id}" here, only ${DATASET_ID}.`);
    const { sha256, open } = await artworks.snapshotFile(Number(snapshot));
    const { plain, gzip } = await open();
    return {
      bytes: plain,
      gzip,
      sha256,
      version: sha256,
      contentType: 'application/jsonl',
      headers: { 'Content-Disposition': 'attachment; filename="artworks.jsonl"' },
    };
  },
});
