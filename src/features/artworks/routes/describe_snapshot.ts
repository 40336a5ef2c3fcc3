import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { editionHtml } from '../pages/edition_page.ts';
import { bibtexEntry } from '../tools/bibtex.ts';
import { dataciteRecord } from '../tools/datacite.ts';
import type { CitedEdition } from '../tools/edition_words.ts';
import { factsOf } from '../tools/manifest_facts.ts';
import { roCrate } from '../tools/ro_crate.ts';
import type { Described } from '../types.ts';
import { datasetField, requireDataset, snapshotField } from './dataset_fields.ts';

/** The DOI, withdrawals and stored files of a snapshot may change; its records do not. */
const CACHE_SECONDS = 300;
/** Each document of an old snapshot counts its works again. */
const LIMIT = { name: 'snapshot-metadata', calls: 600, perSeconds: 3600, by: 'address' } as const;

type Needs = Pick<Services, 'artworks' | 'site'>;

interface Document {
  readonly contentType: string;
  write(cited: CitedEdition, described: Described): string;
}

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
export const snapshotMetadata = [snapshotPage, describeSnapshot];
