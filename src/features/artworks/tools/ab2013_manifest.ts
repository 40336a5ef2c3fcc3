import type { Facts } from './manifest_facts.ts';
import {
  dataTypes,
  joinSentences,
  licenceSummary,
  liveText,
  personsText,
  processingText,
  sourceText,
} from './manifest_words.ts';
import { rightsSentence } from './record_basis.ts';

const COMPUTED = { computed: true } as const;
/** Only whoever trains a model can say this. */
const BY_THE_DEVELOPER = { computed: false } as const;

/** The twelve items of California Civil Code 3111(a), answered for this dataset. */
export function ab2013Manifest(
  facts: Facts,
  { name, generatedAt, cardUrl }: { name: string; generatedAt: string; cardUrl: string },
) {
  const used = facts.museums.filter(({ works }) => works > 0);
  return {
    consent_mechanism: joinSentences(
      'Not needed for works in the public domain.',
      facts.basis.imported > 0 && 'What was read is what museums publish for free use.',
      facts.basis.starter > 0 && 'The starter catalogue was written without asking a museum.',
      'A work is taken out on request.',
    ),
    data_types: dataTypes(facts),
    dataset_name: name,
    generated_at: generatedAt,
    license_summary: licenceSummary(facts),
    public_domain_pct: facts.publicDomainPercent,
    evidenced_pct: facts.evidencedPercent,
    regulation: 'California AB 2013',
    sources: used.map((one) => (one.works > one.starter_works ? one.name : sourceText(one))),
    total_works: facts.works,
    statute: 'California Civil Code 3110-3111, in force since 2026-01-01',
    applicability:
      'It binds developers of generative AI systems offered to the public in California. These are the answers such a developer needs about this dataset.',
    disclosures: disclosures(facts).map((disclosure, at) => ({
      item: `3111(a)(${at + 1})`,
      ...disclosure,
      // The card shows the same figures, fields and sources for programs.
      evidence_url: disclosure.computed ? cardUrl : null,
    })),
  };
}

const disclosures = (facts: Facts) => [...aboutOrigin(facts), ...aboutRights(facts), ...aboutMaking(facts)];

/** Items 1 to 4. */
function aboutOrigin(facts: Facts) {
  const { works, pictures, museums } = facts;
  const used = museums.filter((museum) => museum.works > 0);
  return [
    {
      question: 'Sources or owners of the datasets',
      answer: used.map(sourceText).join('; ') || 'None yet.',
      ...COMPUTED,
    },
    {
      question: 'How the datasets further the intended purpose of the system',
      answer:
        'To be completed by the developer. The dataset gives records of artworks and, where there are any, links to their pictures.',
      ...BY_THE_DEVELOPER,
    },
    {
      question: 'Number of data points',
      answer: `${works} works; ${pictures} of them name a picture; ${facts.megabytes} MB of records.`,
      ...COMPUTED,
    },
    {
      question: 'Types of data points',
      answer: joinSentences(
        `${dataTypes(facts).join(', ')}.`,
        facts.basis.imported > 0 && "Labels of records that were read are the museums' own.",
        facts.basis.starter > 0 && 'Labels of the starter catalogue were written down by hand.',
      ),
      ...COMPUTED,
    },
  ];
}

/** Items 5 to 8. */
function aboutRights(facts: Facts) {
  return [
    {
      question: 'Data protected by copyright, trademark or patent, or entirely in the public domain',
      answer: `${facts.publicDomainPercent} % are taken to be public domain or CC0; for ${facts.evidencedPercent} % of all works a field of the museum's data is kept as the reason. ${rightsSentence(facts.basis)} Names of museums are trademarks and are not licensed.`,
      ...COMPUTED,
    },
    {
      question: 'Whether the datasets were purchased or licensed',
      answer: joinSentences(
        'Neither.',
        facts.basis.imported > 0 && 'What was read is published for free use.',
        facts.basis.starter > 0 && 'The starter catalogue was written for this program.',
      ),
      ...COMPUTED,
    },
    {
      question: 'Personal information',
      answer: `${personsText(facts)}. Nothing about users.`,
      ...COMPUTED,
    },
    { question: 'Aggregate consumer information', answer: 'None.', ...COMPUTED },
  ];
}

/** Items 9 to 12. */
function aboutMaking(facts: Facts) {
  const { museums, seen, basis } = facts;
  const used = museums.filter((museum) => museum.works > 0);
  const leftOut = used.flatMap(({ name, left_out }) =>
    Object.entries(left_out).map(([reason, count]) => `${name}: ${count} (${reason})`),
  );
  return [
    {
      question: 'Cleaning, processing and modification, and their purpose',
      answer: joinSentences(
        processingText(facts),
        leftOut.length > 0 && `Left out: ${leftOut.join('; ')}.`,
        basis.imported > 0 &&
          `Bad rows passed over: ${used.reduce((sum, { bad_rows }) => sum + bad_rows, 0)}.`,
      ),
      ...COMPUTED,
    },
    {
      question: 'Time period of collection, and whether it goes on',
      answer: joinSentences(
        seen.first ? `Read from ${seen.first} to ${seen.last}.` : 'No data of a museum was read yet.',
        basis.starter > 0 && 'The starter catalogue came with this program.',
        'It goes on whenever the operator imports.',
        liveText(facts),
      ),
      ...COMPUTED,
    },
    {
      question: 'Dates the datasets were first used in development',
      answer: 'To be completed by the developer.',
      ...BY_THE_DEVELOPER,
    },
    {
      question: 'Synthetic data generation',
      answer: joinSentences(
        'No record that was read and no picture was generated.',
        basis.starter > 0 &&
          `The ${basis.starter} records of the starter catalogue were not read anywhere: they were written down from general knowledge.`,
      ),
      ...COMPUTED,
    },
  ];
}
