import type { Facts } from './manifest_facts.ts';
import {
  dataTypes,
  joinSentences,
  licenceSummary,
  liveText,
  museumsText,
  processingText,
  sourceText,
} from './manifest_words.ts';

/** The summary of training content by the template of the Commission, filled for this dataset as one entry of it. */
export function euAiActManifest(
  facts: Facts,
  { name, generatedAt, url }: { name: string; generatedAt: string; url: string },
) {
  const used = facts.museums.filter(({ works }) => works > 0);
  const { imported, starter } = facts.basis;
  return {
    copyright_policy: joinSentences(
      'Of what a museum publishes only works are taken in of which a field of its data says, or lets conclude, that they are in the public domain or CC0.',
      licenceSummary(facts),
    ),
    data_governance: joinSentences(
      imported > 0 &&
        `Each of the ${imported} records that were read keeps its museum, its identifier there, the field and value its rights were read from and the day.`,
      starter > 0 &&
        `Each of the ${starter} records of the starter catalogue says that it was written down by hand: it has no such field and no day.`,
      'Snapshots do not change and are named by a sha256.',
    ),
    generated_at: generatedAt,
    opt_out_mechanism:
      'A work is taken out on request: it leaves search, downloads and pictures at once, no import brings it back, and the log below names it. Once its museum has withdrawn a work or changed its statement, the next whole import of that museum takes it out.',
    regulation: 'EU AI Act, Article 53',
    transparency_summary: `A dataset of ${facts.works} artworks of ${museumsText(used.length)} (${waysText(facts)}), ${facts.pictures} with a picture, made between ${facts.years.from ?? 'an unknown year'} and ${facts.years.to ?? 'an unknown year'}.`,
    applicability:
      'It binds providers of general-purpose AI models, who publish such a summary of what they trained on. This is the part about this dataset.',
    template: {
      version: 'C(2025) 8311',
      sections: {
        '1.1 provider': 'To be completed by the provider of the model.',
        '1.2 model': 'To be completed by the provider of the model.',
        '1.3 modalities and size': `Images: ${sizeClass(facts.pictures)}; text: ${facts.megabytes} MB of records. Content: ${dataTypes(facts).join(', ')}. Latest acquisition: ${facts.seen.last || 'none'}. Languages: ${languages(facts)}.`,
        '2.1 publicly available datasets': `${name}, ${url}: ${used.map(sourceText).join('; ') || 'empty'}.`,
        '2.2 private datasets of third parties': 'None.',
        '2.3 crawled and scraped from online sources': joinSentences(
          'None.',
          imported > 0 && 'What was read is what museums publish for this use.',
          liveText(facts),
        ),
        '2.4 user data': 'None.',
        '2.5 synthetic data': 'None.',
        '2.6 other sources':
          starter > 0
            ? `The starter catalogue: ${starter} records written down by hand from general knowledge.`
            : 'None.',
        '3.1 respect of reservations of rights': joinSentences(
          'Of what museums publish no work with a reservation is taken in; an unstated right counts as reserved.',
          starter > 0 && 'The starter catalogue was written without asking a museum.',
        ),
        '3.2 removal of illegal content': joinSentences(
          imported > 0 && 'Records that were read are from catalogues that museums have edited.',
          'Works are taken out on request.',
        ),
        '3.3 other processing': processingText(facts),
      },
    },
  };
}

function waysText({ basis: { imported, starter } }: Facts): string {
  const ways = [
    imported > 0 && `${imported} read in publicly available data`,
    starter > 0 && `${starter} written down by hand`,
  ];
  return ways.filter(Boolean).join(', ') || 'none yet';
}

/** Classes of the template. */
const sizeClass = (pictures: number): string =>
  pictures < 1_000_000
    ? 'less than 1 million'
    : pictures <= 1_000_000_000
      ? '1 million to 1 billion'
      : 'more than 1 billion';

/** The starter catalogue is in English. */
function languages({ museums, basis }: Facts): string {
  const read = museums.filter(({ works, starter_works: starter }) => works > starter);
  const has = (name: string) => read.some(({ museum }) => museum === name);
  const english = basis.starter > 0 || read.some(({ museum }) => museum !== 'rijks' && museum !== 'paris');
  return (
    [english && 'English', has('rijks') && 'Dutch', has('paris') && 'French'].filter(Boolean).join(', ') ||
    'none'
  );
}
