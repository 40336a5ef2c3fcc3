import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { croissantCard } from '../tools/croissant_card.ts';
import { factsOf } from '../tools/manifest_facts.ts';
import { DATASET_ID } from '../tools/open_museums.ts';

export const croissant = defineOperation({
  name: 'croissant',
  methods: ['GET'],
  path: '/api/compliance/{dataset_id}/croissant.json',
  tag: 'discovery',
  summary: 'The dataset described for programs that load datasets (Croissant 1.1, JSON-LD), as it is now.',
  input: z.object({ dataset_id: z.string().max(100).describe(`${DATASET_ID} is the only one here.`) }),
  answer: { file: 'application/ld+json', description: 'A Croissant card.' },
  cacheSeconds: 60,

  async run({ dataset_id }, { artworks, site }: Pick<Services, 'artworks' | 'site'>) {
    if (dataset_id !== DATASET_ID) {
      throw new AtelierError('not_found', `There is no dataset "${dataset_id}" here, only ${DATASET_ID}.`);
    }
    const card = await describeNewest(artworks, site.publicUrl);
    return { bytes: JSON.stringify(card), contentType: 'application/ld+json' };
  },
});

/** A snapshot may be published between its figures and its file: then once more. */
async function describeNewest(artworks: Services['artworks'], url: string, tries = 3): Promise<object> {
  const statistics = await artworks.statistics();
  const { edition } = statistics;
  try {
    const file = await artworks.snapshotFile(edition.number);
    return croissantCard(factsOf(statistics), edition, { url, file });
  } catch (error) {
    const isOld = error instanceof AtelierError && error.code === 'not_found';
    if (!isOld || tries === 1) throw error;
    return describeNewest(artworks, url, tries - 1);
  }
}
