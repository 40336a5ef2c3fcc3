import { z } from 'zod';
import { FREE } from '../../definitions/price.ts';
import { alsoCalled } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { ab2013Manifest } from './ab2013_manifest.ts';
import { euAiActManifest } from './eu_ai_act_manifest.ts';
import { factsOf } from './manifest_facts.ts';
import { DATASET_ID, datasetField } from './open_museums.ts';
import { starterWarning } from './search_artworks.ts';

const DATASET_NAME = 'Open Museums';
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
  evidence_url: z
    .string()
    .nullable()
    .describe('Where the answer can be checked; null: nothing here shows it.'),
  computed: z.boolean().describe('false: only whoever trains a model can answer it.'),
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
  summary:
    'What a developer has to disclose about this dataset as training data, under California AB 2013 and the EU AI Act. Computed from the works at hand, signed, and linked to the snapshot by its hash.',
  instead: { infuse_metadata: 'to mark a picture as made by AI' },
  words:
    'legal, law, regulation, authority, eu ai act, europe, california, ab 2013, disclosure, report, document, training data transparency, copyright policy for model developers who train, licence report, croissant, is the dataset legally safe for training, data governance statement, where does the training data come from, lawyers, legal department, copyright policy under european law, transparency obligations, model card, audit, provenance of training data, consent mechanism, gdpr, compliance, what do I tell the authority about training data, statement, article 53, generative ai law, template of the ai office, summary of content used for training, copyright officer, accountability, due diligence, proof of licences, audit trail of a dataset',
  price: FREE,
  input: z.object({
    dataset_id: datasetField,
    regulation: alsoCalled(
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
        .describe('Since the snapshot before.'),
    }),
    museums: z.array(
      z.object({
        museum: z.string(),
        name: z.string(),
        works: count,
        starter_works: count.describe('Of these: of the starter catalogue, written down by hand.'),
        pictures: count,
        data_licence: z
          .string()
          .describe('Of its records, as this program has it; evidence_url is where to check it.'),
        policy_url: z.string(),
        evidence_url: z.string().describe('Where the museum publishes its records and names their licence.'),
        terms: z
          .object({
            sha256: z.string().describe('Of the bytes of the page at policy_url.'),
            first_seen_at: timestamp,
            last_seen_at: timestamp,
          })
          .nullable()
          .describe('The page as this server has read it; null: it has not.'),
        first_read: z.string().nullable().describe('Day on which its data was read first; null: it was not.'),
        last_read: z.string().nullable(),
        source: z.string().nullable().describe('Every file that its works were read from.'),
        imported_at: timestamp.nullable(),
        ...ofSources,
        sources: z
          .array(
            z.object({
              source: z.string(),
              imported_at: timestamp,
              is_part: z.boolean().describe('Works that were not in it have stayed.'),
              rows: count,
              ...ofSources,
            }),
          )
          .describe('The last whole file that was read, and the parts since.'),
      }),
    ),
    live_works: z
      .array(
        z.object({
          museum: z.string(),
          works: count.describe(
            'Works with a record or a picture of their museum in place of what is in the snapshot.',
          ),
          read: count.describe('Of these: whose record was read there, not only their picture.'),
          pictures: count,
          refused: count.describe('Works whose museum has said nothing that lets them be taken.'),
          first: z.string().describe('Day on which the first of them was asked for, ISO 8601.'),
          last: z.string(),
        }),
      )
      .describe(
        'Works asked for one by one at the interface of their museum since. They stand beside the snapshot and are in none of its counts.',
      ),
    works_by_basis: z
      .object({ museum_data: count, starter_catalogue: count })
      .describe("How works are known: read in their museum's data, or written down by hand."),
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
        'Compact JWS (Ed25519) over the sha256 of the other fields as canonical JSON (RFC 8785), the snapshot and its sha256; keys at /.well-known/jwks.json.',
      ),
  }),
  isDocument: true,
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

  async run({ regulation }, { artworks, site }: Pick<Services, 'artworks' | 'site'>, { warn }) {
    const statistics = await artworks.statistics();
    if (statistics.starterOnly.length > 0) warn(starterWarning(statistics.starterOnly));
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
    return { ...unsigned, signature: artworks.signManifest(unsigned, edition) };
  },
});
