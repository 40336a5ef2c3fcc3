import { z } from 'zod';
import { FREE } from '../price.ts';
import { defineContract } from '../tool.ts';
import { AB2013_SAMPLE, EU_AI_ACT_SAMPLE } from './manifest_samples.ts';
import { DATASET_ID } from './open_museums.ts';

const DATASET_ID_CHARACTERS_MAX = 100;
const timestamp = z.string().describe('ISO 8601.');

const ab2013 = z.object({
  consent_mechanism: z.string(),
  data_types: z.array(z.string()),
  dataset_name: z.string(),
  generated_at: timestamp,
  license_summary: z.string(),
  public_domain_pct: z.number().min(0).max(100),
  regulation: z.string(),
  sources: z.array(z.string()),
  total_works: z.int().min(0).max(1_000_000_000),
});

const euAiAct = z.object({
  copyright_policy: z.string(),
  data_governance: z.string(),
  generated_at: timestamp,
  opt_out_mechanism: z.string(),
  regulation: z.string(),
  transparency_summary: z.string(),
});

const manifest = {
  dataset_id: z.string(),
  regulation: z.string().describe('The filter, as it was sent.'),
  manifests: z.object({ ab2013: ab2013.optional(), eu_ai_act: euAiAct.optional() }),
};

export const complianceManifest = defineContract({
  name: 'compliance_manifest',
  title: 'Compliance manifest',
  category: 'dataset',
  summary:
    'What a developer has to disclose about this dataset as training data, under California AB 2013 and the EU AI Act.',
  price: FREE,
  input: z.object({
    dataset_id: z
      .string()
      .min(1)
      .max(DATASET_ID_CHARACTERS_MAX)
      .default(DATASET_ID)
      .describe('Which dataset.'),
    regulation: z
      .enum(['ab2013', 'eu_ai_act', 'all'])
      .default('all')
      .describe('Only the manifest of this regulation.'),
  }),
  output: z.object(manifest),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}, { regulation: 'eu_ai_act' }],
  next: () => [
    {
      action: 'See which works it speaks of',
      tool: 'search_artworks',
      why: 'Each work names its museum, so a claim can be checked',
      params: { query: 'landscape', limit: 5 },
    },
  ],
  sandbox: {
    query: z.object({}),
    answer: z.object(manifest),
    sample: () => ({
      dataset_id: DATASET_ID,
      regulation: 'all',
      manifests: { ab2013: AB2013_SAMPLE, eu_ai_act: EU_AI_ACT_SAMPLE },
    }),
    next: [
      {
        action: 'Get the real manifest',
        tool: 'compliance_manifest',
        why: 'Computed from the rows of the dataset at the moment you ask, free',
        params: { regulation: 'all' },
      },
      {
        action: 'Search the dataset',
        tool: 'search_artworks',
        why: 'Shows the works the manifest speaks of',
        params: { query: 'sea', limit: 5 },
      },
      {
        action: 'See what else there is',
        tool: 'search_tools',
        why: 'Lists every tool that works on the dataset',
        params: { category: 'dataset' },
      },
    ],
  },
});
