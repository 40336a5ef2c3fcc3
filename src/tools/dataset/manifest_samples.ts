import { MUSEUMS } from '../../dataset/museums/museums.ts';

/** What the sandbox answers: believable manifests with round figures. The real ones are computed from the dataset. */

const GENERATED_AT = '2026-01-01T00:00:00.000Z';

export const AB2013_SAMPLE = {
  consent_mechanism:
    'Not needed for works in the public domain. What was read is what museums publish for free use. A work is taken out on request.',
  data_types: ['images of artworks', 'titles', 'names of artists', 'dates', 'media', 'museum identifiers'],
  dataset_name: 'Open Museums (sample)',
  generated_at: GENERATED_AT,
  license_summary:
    'Of 53000 works 41000 are taken as CC0 1.0 and 12000 as in the public domain, each by a field of its museum’s own data.',
  public_domain_pct: 100,
  regulation: 'California AB 2013',
  sources: Object.values(MUSEUMS).map(({ name }) => name),
  total_works: 53_000,
};

export const EU_AI_ACT_SAMPLE = {
  copyright_policy:
    'Of what a museum publishes only works are taken in of which a field of its data says, or lets conclude, that they are in the public domain or CC0.',
  data_governance:
    'Each of the 53000 records that were read keeps its museum, its identifier there, the field and value its rights were read from and the day.',
  generated_at: GENERATED_AT,
  opt_out_mechanism:
    'A work is taken out on request. Once its museum has withdrawn a work or changed its statement, the next whole import of that museum takes it out.',
  regulation: 'EU AI Act, Article 53',
  transparency_summary:
    'A publicly available dataset of about 53 thousand pictures of artworks with catalogue records, from seven museums.',
};
