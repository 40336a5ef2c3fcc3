import { MUSEUMS } from '../../museums.ts';

/** What the sandbox answers: believable manifests with round figures. The real ones are computed from the dataset. */

const GENERATED_AT = '2026-01-01T00:00:00.000Z';

export const AB2013_SAMPLE = {
  consent_mechanism:
    'Not needed for works in the public domain; each museum publishes its records and pictures for free use.',
  data_types: ['images of artworks', 'titles', 'names of artists', 'dates', 'media', 'museum identifiers'],
  dataset_name: 'Open Museums (sample)',
  generated_at: GENERATED_AT,
  license_summary:
    'Public domain works; records and pictures released by the museums under CC0 or an equal statement.',
  public_domain_pct: 100,
  regulation: 'California AB 2013',
  sources: Object.values(MUSEUMS).map(({ name }) => name),
  total_works: 53_000,
};

export const EU_AI_ACT_SAMPLE = {
  copyright_policy: 'Only works whose museum states that they are in the public domain are taken in.',
  data_governance:
    'Every record keeps its museum, its identifier there and the rights statement it came with.',
  generated_at: GENERATED_AT,
  opt_out_mechanism: 'A work is withdrawn when its museum withdraws it or changes its rights statement.',
  regulation: 'EU AI Act, Article 53',
  transparency_summary:
    'A publicly available dataset of about 53 thousand pictures of artworks with catalogue records, from seven museums.',
};
