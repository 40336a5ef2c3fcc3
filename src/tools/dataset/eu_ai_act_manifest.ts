import { dataTypes, licenceSummary } from './ab2013_manifest.ts';
import type { Facts } from './manifest_facts.ts';

/** The summary of training content by the template of the Commission, filled for this dataset as one entry of it. */
export function euAiActManifest(
  facts: Facts,
  { name, generatedAt, url }: { name: string; generatedAt: string; url: string },
) {
  const used = facts.museums.filter(({ works }) => works > 0);
  return {
    copyright_policy: `Only works whose museum states that they are in the public domain or CC0 are taken in. ${licenceSummary(facts)}`,
    data_governance:
      'Every record keeps its museum, its identifier there, the field and value its rights were read from and the day; snapshots do not change and are named by a sha256.',
    generated_at: generatedAt,
    opt_out_mechanism:
      'A work is taken out on request: it leaves search, downloads and pictures at once, no import brings it back, and the log below names it. A work also goes when its museum withdraws it or changes its statement.',
    regulation: 'EU AI Act, Article 53',
    transparency_summary: `A publicly available dataset of ${facts.works} artworks from ${used.length} museums, ${facts.pictures} with a picture, made between ${facts.years.from ?? 'an unknown year'} and ${facts.years.to ?? 'an unknown year'}.`,
    applicability:
      'It binds providers of general-purpose AI models, who publish such a summary of what they trained on. This is the part about this dataset.',
    template: {
      version: 'C(2025) 8311',
      sections: {
        '1.1 provider': 'To be completed by the provider of the model.',
        '1.2 model': 'To be completed by the provider of the model.',
        '1.3 modalities and size': `Images: ${sizeClass(facts.pictures)}; text: ${facts.megabytes} MB of records. Content: ${dataTypes(facts).join(', ')}. Latest acquisition: ${facts.seen.last || 'none'}. Languages: ${languages(facts)}.`,
        '2.1 publicly available datasets': `${name}, ${url}: ${used.map((museum) => `${museum.name} ${museum.works} (${museum.source ?? 'starter catalogue'})`).join('; ') || 'empty'}.`,
        '2.2 private datasets of third parties': 'None.',
        '2.3 crawled and scraped from online sources': 'None: museums publish the files for this use.',
        '2.4 user data': 'None.',
        '2.5 synthetic data': 'None.',
        '2.6 other sources': 'None.',
        '3.1 respect of reservations of rights':
          'No work with a reservation is taken in; an unstated right counts as reserved.',
        '3.2 removal of illegal content':
          'Works come from catalogues that museums have edited; works are taken out on request.',
        '3.3 other processing': 'Records were brought into one form; pictures are not changed.',
      },
    },
  };
}

/** Classes of the template. */
const sizeClass = (pictures: number): string =>
  pictures < 1_000_000
    ? 'less than 1 million'
    : pictures <= 1_000_000_000
      ? '1 million to 1 billion'
      : 'more than 1 billion';

function languages({ museums }: Facts): string {
  const has = (name: string) => museums.some(({ museum, works }) => museum === name && works > 0);
  const english = museums.some(({ museum, works }) => works > 0 && museum !== 'rijks' && museum !== 'paris');
  return (
    [english && 'English', has('rijks') && 'Dutch', has('paris') && 'French'].filter(Boolean).join(', ') ||
    'none'
  );
}
