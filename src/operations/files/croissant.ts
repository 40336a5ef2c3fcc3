import { z } from 'zod';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Services } from '../../services/contract.ts';
import { croissantCard } from '../../tools/dataset/croissant_card.ts';
import { factsOf } from '../../tools/dataset/manifest_facts.ts';
import { DATASET_ID } from '../../tools/dataset/open_museums.ts';
import { defineOperation } from '../operation.ts';

export const croissant = defineOperation({
  name: 'croissant',
  methods: ['GET'],
  path: '/api/compliance/{dataset_id}/croissant.json',
  tag: 'discovery',
  summary: 'The dataset described for programs that load datasets (Croissant 1.0, JSON-LD), as it is now.',
  input: z.object({ dataset_id: z.string().max(100).describe(`${DATASET_ID} is the only one here.`) }),
  answer: { file: 'application/ld+json', description: 'A Croissant card.' },
  cacheSeconds: 60,

  async run({ dataset_id }, { artworks, site }: Pick<Services, 'artworks' | 'site'>) {
    if (dataset_id !== DATASET_ID) {
      throw new AtelierError('not_found', `There is no dataset "${dataset_id}" here, only ${DATASET_ID}.`);
    }
    const statistics = await artworks.statistics();
    return {
      bytes: JSON.stringify(croissantCard(factsOf(statistics), statistics.edition, site.publicUrl)),
      contentType: 'application/ld+json',
    };
  },
});
