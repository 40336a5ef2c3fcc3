import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { SNAPSHOT_CHANGES_MAX } from '../limits.ts';
import { editionHtml } from '../pages/edition_page.ts';
import { bibtexEntry } from '../tools/bibtex.ts';
import { croissantCard } from '../tools/croissant_card.ts';
import { dataciteRecord } from '../tools/datacite.ts';
import type { CitedEdition } from '../tools/edition_words.ts';
import { factsOf } from '../tools/manifest_facts.ts';
import { DATASET_ID } from '../tools/open_museums.ts';
import { roCrate } from '../tools/ro_crate.ts';
import type { Described } from '../types.ts';

/** Path parameters of all snapshot operations. */
const datasetField = z.string().max(100).describe(`${DATASET_ID} is the only one here.`);

const snapshotField = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the number of a snapshot, such as 3')
  .describe('Its number, as the Croissant card names it.');

/** @throws AtelierError not_found */
function requireDataset(id: string): void {
  if (id !== DATASET_ID)
    throw new AtelierError('not_found', `There is no dataset "${id}" here, only ${DATASET_ID}.`);
}

/** A snapshot never changes. */
const A_DAY_S = 86_400;

const openSnapshot = defineOperation({
  name: 'open_snapshot',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/{snapshot}/artworks.jsonl',
  tag: 'files',
  summary: 'All records of a snapshot as JSON Lines, without pictures; takes Range and gzip.',
  input: z.object({
    dataset_id: datasetField,
    snapshot: snapshotField,
  }),
  answer: { file: 'application/jsonl', description: 'One record a line.' },
  limit: { name: 'snapshots', calls: 600, perSeconds: 3600, by: 'address' },
  cacheSeconds: A_DAY_S,

  async run({ dataset_id, snapshot }, { artworks }: Pick<Services, 'artworks'>) {
    requireDataset(dataset_id);
    const { sha256, open } = await artworks.snapshotFile(Number(snapshot));
    const { plain, gzip } = await open();
    return {
      bytes: plain,
      gzip,
      sha256,
      version: sha256,
      contentType: 'application/jsonl',
      headers: {
        'Content-Disposition': 'attachment; filename="artworks.jsonl"',
        Link: '<ro-crate-metadata.json>; rel="describedby"; type="application/ld+json"',
      },
    };
  },
});

const snapshotNumber = z.coerce.number().int().min(1).max(999_999_999);
const hash = z.string().nullable();

const compareSnapshots = defineOperation({
  name: 'compare_snapshots',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/changes',
  tag: 'files',
  summary: 'Works added, changed or removed between two snapshots.',
  input: z.object({
    dataset_id: datasetField,
    from: snapshotNumber.describe('Number of the earlier snapshot.'),
    to: snapshotNumber.optional().describe('Number of the later snapshot; absent: the newest.'),
    after: z.string().max(200).default('').describe('next of the page before; absent: the first page.'),
    limit: z.coerce.number().int().min(1).max(SNAPSHOT_CHANGES_MAX).default(1_000),
  }),
  answer: z.object({
    from: z.int(),
    to: z.int(),
    works: z.array(
      z.object({
        id: z.string(),
        change: z.enum(['added', 'changed', 'removed']),
        sha256_before: hash.describe('Of the record; null where the work was added.'),
        sha256_after: hash.describe('Of the record; null where the work was removed.'),
      }),
    ),
    next: z.string().nullable().describe('Send it as after with the same numbers; null at the end.'),
  }),
  // Each page compares all differences between the two editions.
  limit: { name: 'snapshot-changes', calls: 120, perSeconds: 3600, by: 'address' },

  async run({ dataset_id, ...asked }, { artworks }: Pick<Services, 'artworks'>) {
    requireDataset(dataset_id);
    return artworks.changes(asked);
  },
});

/** The DOI, withdrawals and stored files of a snapshot may change; its records do not. */
const CACHE_SECONDS = 300;

/** Each document of an old snapshot counts its works again. */
const LIMIT = { name: 'snapshot-metadata', calls: 600, perSeconds: 3600, by: 'address' } as const;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const DOCUMENTS = {
  'ro-crate-metadata.json': {
    // Profiles that the specification names for its media type (appendix RO-Crate JSON-LD).
    contentType:
      'application/ld+json; profile="http://www.w3.org/ns/json-ld#flattened http://www.w3.org/ns/json-ld#compacted https://w3id.org/ro/crate"',
    write: (cited, { file }) => json(roCrate({ ...cited, file })),
  },
  'datacite.json': {
    contentType: 'application/vnd.datacite.datacite+json',
    write: (cited, { previous }) => json(dataciteRecord(cited, previous)),
  },
  'citation.bib': { contentType: 'application/x-bibtex; charset=utf-8', write: bibtexEntry },
} satisfies Record<string, Document>;

const documentNames = Object.keys(DOCUMENTS) as [keyof typeof DOCUMENTS, ...(keyof typeof DOCUMENTS)[]];

async function citedEdition({ artworks, site }: Needs, dataset: string, snapshot: string) {
  requireDataset(dataset);
  const described = await artworks.describe(Number(snapshot));
  const { statistics, doi, withdrawn } = described;
  const { edition } = statistics;
  const cited = { edition, facts: factsOf(statistics), url: site.publicUrl, doi, withdrawn };
  return { described, cited };
}

const describeSnapshot = defineOperation({
  name: 'describe_snapshot',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/{snapshot}/{document}',
  tag: 'files',
  summary: 'A snapshot as RO-Crate, DataCite or BibTeX.',
  input: z.object({
    dataset_id: datasetField,
    snapshot: snapshotField,
    document: z.enum(documentNames),
  }),
  answer: { file: '*/*', description: 'The document.' },
  limit: LIMIT,
  cacheSeconds: CACHE_SECONDS,

  async run({ dataset_id, snapshot, document }, services: Needs) {
    const { described, cited } = await citedEdition(services, dataset_id, snapshot);
    const { contentType, write }: Document = DOCUMENTS[document];
    return { bytes: write(cited, described), contentType };
  },
});

const snapshotPage = defineOperation({
  name: 'snapshot_page',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/{snapshot}/ro-crate-preview.html',
  tag: 'files',
  summary: 'Page of a snapshot: what it holds, and how to cite it. A DOI may lead to it.',
  input: z.object({ dataset_id: datasetField, snapshot: snapshotField }),
  answer: { file: 'text/html', description: 'The page.' },
  limit: LIMIT,

  async run({ dataset_id, snapshot }, services: Needs) {
    const { described, cited } = await citedEdition(services, dataset_id, snapshot);
    return editionHtml(cited, described);
  },
});

/** The page comes before the documents, whose last path parameter would match it. */
const snapshotMetadata = [snapshotPage, describeSnapshot];

/** Operations on the free snapshot files. */
export const snapshotOperations = [openSnapshot, compareSnapshots, ...snapshotMetadata];

type Needs = Pick<Services, 'artworks' | 'site'>;

interface Document {
  readonly contentType: string;
  write(cited: CitedEdition, described: Described): string;
}

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
