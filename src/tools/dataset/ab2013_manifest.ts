import type { Facts } from './manifest_facts.ts';

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
    consent_mechanism:
      'Not needed for works in the public domain; each museum publishes its records and pictures for free use. A work is taken out on request.',
    data_types: dataTypes(facts),
    dataset_name: name,
    generated_at: generatedAt,
    license_summary: licenceSummary(facts),
    public_domain_pct: facts.publicDomainPercent,
    regulation: 'California AB 2013',
    sources: used.map(({ name: museum }) => museum),
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
      answer:
        used
          .map(
            ({ name, works: count, source }) =>
              `${name} (${count} works, from ${source ?? 'the starter catalogue'})`,
          )
          .join('; ') || 'None yet.',
      ...COMPUTED,
    },
    {
      question: 'How the datasets further the intended purpose of the system',
      answer:
        'To be completed by the developer. The dataset gives pictures of artworks together with what museums know of them.',
      ...BY_THE_DEVELOPER,
    },
    {
      question: 'Number of data points',
      answer: `${works} works; ${pictures} of them name a picture; ${facts.megabytes} MB of records.`,
      ...COMPUTED,
    },
    {
      question: 'Types of data points',
      answer: `${dataTypes(facts).join(', ')}. Labels are the museums' own.`,
      ...COMPUTED,
    },
  ];
}

/** Items 5 to 8. */
function aboutRights(facts: Facts) {
  return [
    {
      question: 'Data protected by copyright, trademark or patent, or entirely in the public domain',
      answer: `${facts.publicDomainPercent} % are public domain or CC0 by the statement kept with each work; for ${facts.evidencedPercent} % of all works the field of the museum's data that says so is kept. Names of museums are trademarks and are not licensed.`,
      ...COMPUTED,
    },
    {
      question: 'Whether the datasets were purchased or licensed',
      answer: 'Neither: they are published for free use.',
      ...COMPUTED,
    },
    {
      question: 'Personal information',
      answer:
        'Names and years of life of makers and of persons shown, as museums publish them. Nothing about users.',
      ...COMPUTED,
    },
    { question: 'Aggregate consumer information', answer: 'None.', ...COMPUTED },
  ];
}

/** Items 9 to 12. */
function aboutMaking({ museums, seen }: Facts) {
  const used = museums.filter((museum) => museum.works > 0);
  const leftOut = used.flatMap(({ name, left_out }) =>
    Object.entries(left_out).map(([reason, count]) => `${name}: ${count} (${reason})`),
  );
  return [
    {
      question: 'Cleaning, processing and modification, and their purpose',
      answer: `Records were brought into one form: cells cut to length, HTML taken out, dates read as years, names turned to reading order. ${leftOut.length > 0 ? `Left out: ${leftOut.join('; ')}.` : 'Nothing was left out.'} Bad rows passed over: ${used.reduce((sum, { bad_rows }) => sum + bad_rows, 0)}. Pictures are not changed.`,
      ...COMPUTED,
    },
    {
      question: 'Time period of collection, and whether it goes on',
      answer: seen.first
        ? `Read from ${seen.first} to ${seen.last}. It goes on whenever the operator imports again.`
        : 'Nothing was collected yet.',
      ...COMPUTED,
    },
    {
      question: 'Dates the datasets were first used in development',
      answer: 'To be completed by the developer.',
      ...BY_THE_DEVELOPER,
    },
    {
      question: 'Synthetic data generation',
      answer: 'None: no record and no picture in this snapshot was generated.',
      ...COMPUTED,
    },
  ];
}

export const dataTypes = ({ pictures }: Facts): string[] => [
  ...(pictures > 0 ? ['images of artworks'] : []),
  'titles',
  'names of makers',
  'dates',
  'media and dimensions',
  'subjects',
  'rights statements',
  'museum identifiers',
];

export const licenceSummary = ({ rights, works }: Facts): string => {
  const count = (status: string) =>
    rights.reduce((sum, group) => sum + (group.status === status ? group.works : 0), 0);
  return `Of ${works} works the museums dedicate ${count('cc0')} under CC0 1.0 and ${count('public_domain')} are marked or known as public domain. Records are CC0.`;
};
