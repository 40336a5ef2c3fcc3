import { z } from 'zod';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { statementAnswer } from '../../definitions/statement_answer.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { type Facts, factsOf } from './manifest_facts.ts';
import {
  dataTypes,
  joinSentences,
  licenceSummary,
  liveText,
  museumsText,
  personsText,
  processingText,
  sourceText,
} from './manifest_words.ts';
import { DATASET_ID, DATASET_NAME, datasetField } from './open_museums.ts';
import { rightsSentence } from './record_basis.ts';
import { starterWarning } from './search_artworks.ts';

const COMPUTED = { computed: true } as const;
/** Only the party that trains a model can state this. */
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
      facts.basis.imported > 0 && 'The imported data is what museums publish for free use.',
      facts.basis.starter > 0 && 'The starter catalogue was written without asking a museum.',
      'Works are withdrawn on request.',
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
      'Applies to developers of generative AI systems offered to the public in California. These are the answers such a developer needs about this dataset.',
    disclosures: disclosures(facts).map((disclosure, at) => ({
      item: `3111(a)(${at + 1})`,
      ...disclosure,
      // The card contains the same figures, fields and sources in machine-readable form.
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
        'To be completed by the developer. The dataset contains records of artworks and, where available, links to their images.',
      ...BY_THE_DEVELOPER,
    },
    {
      question: 'Number of data points',
      answer: `${works} works, ${pictures} of them with an image; ${facts.megabytes} MB of records.`,
      ...COMPUTED,
    },
    {
      question: 'Types of data points',
      answer: joinSentences(
        `${dataTypes(facts).join(', ')}.`,
        facts.basis.imported > 0 && "Labels of records that were read are the museums' own.",
        facts.basis.starter > 0 && 'Labels of the starter catalogue were written by hand.',
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
      answer: `${facts.publicDomainPercent} % are considered public domain or CC0; for ${facts.evidencedPercent} % of all works, a field of the museum's data is stored as evidence. ${rightsSentence(facts.basis)} Names of museums are trademarks and are not licensed.`,
      ...COMPUTED,
    },
    {
      question: 'Whether the datasets were purchased or licensed',
      answer: joinSentences(
        'Neither.',
        facts.basis.imported > 0 && 'The imported data is published for free use.',
        facts.basis.starter > 0 && 'The starter catalogue was written for this program.',
      ),
      ...COMPUTED,
    },
    {
      question: 'Personal information',
      answer: `${personsText(facts)}. No data about users.`,
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
        leftOut.length > 0 && `Excluded: ${leftOut.join('; ')}.`,
        basis.imported > 0 &&
          `Invalid rows skipped: ${used.reduce((sum, { bad_rows }) => sum + bad_rows, 0)}.`,
      ),
      ...COMPUTED,
    },
    {
      question: 'Time period of collection, and whether it is ongoing',
      answer: joinSentences(
        seen.first ? `Read from ${seen.first} to ${seen.last}.` : 'No museum data has been read yet.',
        basis.starter > 0 && 'The starter catalogue is part of this program.',
        'Collection continues with each import by the operator.',
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
        'No imported record and no image was generated.',
        basis.starter > 0 &&
          `The ${basis.starter} records of the starter catalogue have no data source: they were written from general knowledge.`,
      ),
      ...COMPUTED,
    },
  ];
}

/** Summary of training content in the template of the Commission, for this dataset as one entry. */
export function euAiActManifest(
  facts: Facts,
  { name, generatedAt, url }: { name: string; generatedAt: string; url: string },
) {
  const used = facts.museums.filter(({ works }) => works > 0);
  const { imported, starter } = facts.basis;
  return {
    copyright_policy: joinSentences(
      "A museum's work is only included if a field of its data states or implies that it is in the public domain or CC0.",
      licenceSummary(facts),
    ),
    data_governance: joinSentences(
      imported > 0 &&
        `Each of the ${imported} imported records contains its museum, its identifier there, the field and value that state its rights, and the date.`,
      starter > 0 &&
        `Each of the ${starter} records of the starter catalogue states that it was written by hand: it has no such field and no date.`,
      'Snapshots are immutable and identified by a sha256.',
    ),
    generated_at: generatedAt,
    opt_out_mechanism:
      'Works are withdrawn on request: a withdrawn work disappears from search, downloads and images at once, no import restores it, and the log below lists it. If a museum withdraws a work or changes its statement, the next complete import of that museum removes it.',
    regulation: 'EU AI Act, Article 53',
    transparency_summary: `A dataset of ${facts.works} artworks of ${museumsText(used.length)} (${waysText(facts)}), ${facts.pictures} with an image, made between ${facts.years.from ?? 'an unknown year'} and ${facts.years.to ?? 'an unknown year'}.`,
    applicability:
      'Applies to providers of general-purpose AI models, who publish such a summary of their training content. This is the part about this dataset.',
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
          imported > 0 && 'The imported data is what museums publish for this use.',
          liveText(facts),
        ),
        '2.4 user data': 'None.',
        '2.5 synthetic data': 'None.',
        '2.6 other sources':
          starter > 0
            ? `The starter catalogue: ${starter} records written by hand from general knowledge.`
            : 'None.',
        '3.1 respect of reservations of rights': joinSentences(
          'Works with a reservation of rights are excluded; unstated rights count as reserved.',
          starter > 0 && 'The starter catalogue was written without asking a museum.',
        ),
        '3.2 removal of illegal content': joinSentences(
          imported > 0 && 'Imported records are from catalogues edited by museums.',
          'Works are withdrawn on request.',
        ),
        '3.3 other processing': processingText(facts),
      },
    },
  };
}

function waysText({ basis: { imported, starter } }: Facts): string {
  const ways = [
    imported > 0 && `${imported} from publicly available data`,
    starter > 0 && `${starter} written by hand`,
  ];
  return ways.filter(Boolean).join(', ') || 'none yet';
}

/** Size classes of the template. */
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

const timestamp = z.string().describe('ISO 8601.');
const count = z.int().min(0).max(1_000_000_000);
const percentage = z.number().min(0).max(100);

const ab2013 = z.object({
  consent_mechanism: z.string(),
  data_types: z.array(z.string()),
  dataset_name: z.string(),
  generated_at: timestamp,
  license_summary: z.string(),
  public_domain_pct: percentage.describe('Works taken to be in the public domain or CC0.'),
  regulation: z.string(),
  sources: z.array(z.string()),
  total_works: count,
});

const euAiAct = z.object({
  copyright_policy: z.string(),
  data_governance: z.string(),
  generated_at: timestamp,
  opt_out_mechanism: z.string(),
  regulation: z.string(),
  transparency_summary: z.string(),
});

const ofSources = { left_out: z.record(z.string(), count), bad_rows: count };

const disclosure = z.object({
  item: z.string(),
  question: z.string(),
  answer: z.string(),
  evidence_url: z.string().nullable().describe('Where the answer can be verified; null: nowhere here.'),
  computed: z.boolean().describe('false: only the provider of the model can answer.'),
});

const manifest = {
  dataset_id: z.string(),
  regulation: z.string().describe('The filter, as it was sent.'),
  manifests: z.object({ ab2013: ab2013.optional(), eu_ai_act: euAiAct.optional() }),
};

export const complianceManifest = defineTool({
  name: 'compliance_manifest',
  title: 'Compliance manifest',
  category: 'dataset',
  toolset: 'rights',
  summary:
    'What a developer has to disclose about this dataset as training data (California AB 2013, EU AI Act): computed from its works and signed with the hash of the snapshot.',
  instead: { infuse_metadata: 'to mark a picture as made by AI' },
  words:
    'legal, law, regulation, authority, eu ai act, europe, california, ab 2013, disclosure, report, document, training data transparency, copyright policy for model developers who train, licence report, croissant, is the dataset legally safe for training, data governance statement, where does the training data come from, lawyers, legal department, copyright policy under european law, transparency obligations, model card, audit, provenance of training data, consent mechanism, gdpr, compliance, what do I tell the authority about training data, statement, article 53, generative ai law, template of the ai office, summary of content used for training, copyright officer, accountability, due diligence, proof of licences, audit trail of a dataset',
  price: FREE,
  input: z.object({
    dataset_id: datasetField,
    regulation: withAliases(
      z.enum(['ab2013', 'eu_ai_act', 'all']).default('all').describe('Only the manifest of this regulation.'),
      ...['regulations', 'framework', 'law', 'act', 'jurisdiction', 'standard'],
    ),
  }),
  output: z.object({
    ...manifest,
    manifests: z.object({
      ab2013: ab2013
        .extend({
          evidenced_pct: percentage.describe("Works of which a field of their museum's data is the reason."),
          statute: z.string(),
          applicability: z.string(),
          disclosures: z.array(disclosure),
        })
        .optional(),
      eu_ai_act: euAiAct
        .extend({
          applicability: z.string(),
          template: z.object({ version: z.string(), sections: z.record(z.string(), z.string()) }),
        })
        .optional(),
    }),
    snapshot: z.object({
      id: z.int().min(1).max(1_000_000_000),
      sha256: z.string().describe('Over "id sha256\\n" of all its works in the order of ids.'),
      works: count,
      published_at: timestamp,
      previous: z.int().min(1).max(1_000_000_000).nullable(),
      changes: z
        .object({ added: count, changed: count, removed: count })
        .describe('Since the previous snapshot.'),
    }),
    museums: z.array(
      z.object({
        museum: z.string(),
        name: z.string(),
        works: count,
        starter_works: count.describe('Of these, works of the starter catalogue.'),
        pictures: count,
        data_licence: z
          .string()
          .describe('Of its records, as this program has it; evidence_url is where to check it.'),
        policy_url: z.string(),
        evidence_url: z.string().describe('Where the museum publishes its records and names their licence.'),
        terms: z
          .object({
            sha256: z.string().describe('Of the page at policy_url.'),
            first_seen_at: timestamp,
            last_seen_at: timestamp,
          })
          .nullable()
          .describe('The page as read by this server; null: not read.'),
        first_read: z.string().nullable().describe('Date on which its data was first read; null: not read.'),
        last_read: z.string().nullable(),
        source: z.string().nullable().describe('All files from which its works were read.'),
        imported_at: timestamp.nullable(),
        ...ofSources,
        sources: z
          .array(
            z.object({
              source: z.string(),
              imported_at: timestamp,
              is_part: z.boolean().describe('Works missing from it were kept.'),
              rows: count,
              ...ofSources,
            }),
          )
          .describe('The last complete file, and partial ones since.'),
      }),
    ),
    live_works: z
      .array(
        z.object({
          museum: z.string(),
          works: count.describe("Works whose museum's record or image replaces that of the snapshot."),
          read: count.describe('Of these, works whose record was read, not only the image.'),
          pictures: count,
          refused: count.describe('Works whose museum response could not be used.'),
          first: z.string().describe('Date of the first such request, ISO 8601.'),
          last: z.string(),
        }),
      )
      .describe('Works fetched on demand since; not included in the counts.'),
    works_by_basis: z
      .object({ museum_data: count, starter_catalogue: count })
      .describe("Source of the works: their museum's data, or written by hand."),
    rights_histogram: z.array(
      z.object({ museum: z.string(), status: z.string(), evidence: z.string(), works: count }),
    ),
    known_gaps: z.array(z.string()),
    opt_out_log: z.array(
      z.object({ credit_id: z.string(), at: timestamp, reason: z.string(), snapshot: count }),
    ),
    croissant_url: z.string().describe('The same snapshot described for programs that load datasets.'),
    signature: z
      .string()
      .describe(
        'Compact JWS (Ed25519) over the sha256 of the other fields (RFC 8785) and of the snapshot; keys at /.well-known/jwks.json.',
      ),
    signature_url: z
      .string()
      .optional()
      .describe('The signature as a file, for 24 hours; over MCP in its place.'),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}, { regulation: 'eu_ai_act' }],
  next: () => [
    {
      action: 'List the works it covers',
      tool: 'search_artworks',
      why: 'Each work names its museum, so a claim can be checked',
      params: { query: 'landscape', limit: 5 },
    },
  ],
  sandbox: {
    query: z.object({}),
    answer: z.object(manifest),
    of: 'the works of this server',
    input: () => ({}),
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
        why: 'Lists the works that the manifest covers',
        params: { query: 'sea', limit: 5 },
      },
      {
        action: 'Browse the tools',
        tool: 'search_tools',
        why: 'Lists every tool that works on the dataset',
        params: { category: 'dataset' },
      },
    ],
  },

  async run(
    { regulation },
    { artworks, site, results }: Pick<Services, 'artworks' | 'site' | 'results'>,
    call,
  ) {
    const statistics = await artworks.statistics();
    if (statistics.starterOnly.length > 0) call.warn(starterWarning(statistics.starterOnly));
    const facts = factsOf(statistics);
    const { edition, editions, withdrawals } = statistics;
    const cardUrl = `${site.publicUrl}/api/compliance/${DATASET_ID}/croissant.json`;
    const generatedAt = new Date().toISOString();
    const written = { name: DATASET_NAME, generatedAt, url: site.publicUrl, cardUrl };
    const unsigned = {
      dataset_id: DATASET_ID,
      regulation,
      manifests: {
        ...(regulation !== 'eu_ai_act' && { ab2013: ab2013Manifest(facts, written) }),
        ...(regulation !== 'ab2013' && { eu_ai_act: euAiActManifest(facts, written) }),
      },
      snapshot: {
        id: edition.number,
        sha256: edition.digest,
        works: edition.works,
        published_at: edition.publishedAt.toISOString(),
        previous: editions[1]?.number ?? null,
        changes: {
          added: edition.report.added,
          changed: edition.report.changed,
          removed: edition.report.removed,
        },
      },
      museums: facts.museums.map(({ sources, ...museum }) => ({ ...museum, sources: [...sources] })),
      live_works: facts.live.map((counts) => ({ ...counts })),
      works_by_basis: { museum_data: facts.basis.imported, starter_catalogue: facts.basis.starter },
      rights_histogram: facts.rights.map((group) => ({ ...group })),
      known_gaps: [...facts.gaps],
      opt_out_log: withdrawals.map(({ id, withdrawnAt, reason, edition: snapshot }) => ({
        credit_id: id,
        at: withdrawnAt.toISOString(),
        reason,
        snapshot,
      })),
      croissant_url: cardUrl,
    };
    const signed = await statementAnswer(results, artworks.signManifest(unsigned, edition), call);
    return { ...unsigned, signature: signed.text, ...(signed.url && { signature_url: signed.url }) };
  },
});
