import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { croissantCard } from '../tools/croissant_card.ts';
import { factsOf } from '../tools/manifest_facts.ts';
import { datasetField, requireDataset } from './dataset_fields.ts';

export const croissant = defineOperation({
  name: 'croissant',
  methods: ['GET'],
  path: '/api/compliance/{dataset_id}/croissant.json',
  tag: 'discovery',
  summary: 'The newest snapshot as a Croissant 1.1 card.',
  input: z.object({ dataset_id: datasetField }),
  answer: { file: 'application/ld+json', description: 'A Croissant card.' },
  cacheSeconds: 60,

  async run({ dataset_id }, { artworks, site }: Pick<Services, 'artworks' | 'site'>) {
    requireDataset(dataset_id);
    const { statistics, file, doi, withdrawn } = await artworks.describe();
    const { edition } = statistics;
    const card = croissantCard(
      { edition, facts: factsOf(statistics), url: site.publicUrl, doi, withdrawn },
      file!,
    );
    return { bytes: JSON.stringify(card), contentType: 'application/ld+json' };
  },
});
