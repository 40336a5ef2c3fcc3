import { z } from 'zod';
import { defineOperation, type OperationCall } from '../../../definitions/operation.ts';
import type { Services } from '../../../services.ts';
import { MUSEUM_NAMES } from '../../museums/museums.ts';
import { DOCUMENT_CACHE_SECONDS, IIIF_LIMIT } from './limits.ts';
import { linkedData, linkedDocument } from './linked_data.ts';

const PRESENTATION = 'http://iiif.io/api/presentation/3/context.json';
const DISCOVERY = 'http://iiif.io/api/discovery/1/context.json';

const museumField = z.enum(MUSEUM_NAMES);
const shared = {
  methods: ['GET'],
  tag: 'iiif',
  limit: IIIF_LIMIT,
  cacheSeconds: DOCUMENT_CACHE_SECONDS,
} as const;

const answer = (made: object, context: string, { header }: OperationCall) =>
  linkedData(made, { context, accept: header('accept') });

const manifest = defineOperation({
  ...shared,
  name: 'iiif_manifest',
  path: '/iiif/manifest/{id}',
  summary:
    'A museum work with its picture as a manifest (IIIF Presentation API 3.0), for any viewer: Mirador, Universal Viewer, OpenSeadragon.',
  input: z.object({
    id: z.string().max(200).describe('Of a work, as search_artworks answers it (credit_id).'),
  }),
  answer: linkedDocument('The manifest.'),
  run: async ({ id }, { iiif }: Pick<Services, 'iiif'>, call) =>
    answer(await iiif.manifest(id, call), PRESENTATION, call),
});

const collections = defineOperation({
  ...shared,
  name: 'iiif_collections',
  path: '/iiif/collection',
  summary: 'The museums with pictures here, each a collection (IIIF Presentation API 3.0).',
  input: z.object({}),
  answer: linkedDocument('The collection of collections.'),
  run: async (_, { iiif }: Pick<Services, 'iiif'>, call) =>
    answer(await iiif.collection(), PRESENTATION, call),
});

const collectionPart = defineOperation({
  ...shared,
  name: 'iiif_collection_part',
  path: '/iiif/collection/{museum}/{part}',
  summary: 'A stretch of the works of a museum as a collection of manifests, in the order of their ids.',
  input: z.object({
    museum: museumField,
    part: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .describe('From 1, as the collection of the museum names them.'),
  }),
  answer: linkedDocument('The collection.'),
  run: async (input, { iiif }: Pick<Services, 'iiif'>, call) =>
    answer(await iiif.collection(input), PRESENTATION, call),
});

const collection = defineOperation({
  ...shared,
  name: 'iiif_collection',
  path: '/iiif/collection/{museum}',
  summary:
    'The works of a museum that have a picture as a collection; where they are many, a collection of its parts.',
  input: z.object({ museum: museumField }),
  answer: linkedDocument('The collection.'),
  run: async (input, { iiif }: Pick<Services, 'iiif'>, call) =>
    answer(await iiif.collection(input), PRESENTATION, call),
});

const changes = defineOperation({
  ...shared,
  name: 'iiif_changes',
  path: '/iiif/changes',
  summary:
    'Which manifests have come, changed or gone with each edition (IIIF Change Discovery API 1.0, level 2): the list of pages.',
  input: z.object({}),
  answer: linkedDocument('The ordered collection.'),
  run: async (_, { iiif }: Pick<Services, 'iiif'>, call) => answer(await iiif.changes(), DISCOVERY, call),
});

const changesPage = defineOperation({
  ...shared,
  name: 'iiif_changes_page',
  path: '/iiif/changes/{page}',
  summary: 'A page of changes; a page never holds those of two editions, so it stays as it is.',
  input: z.object({ page: z.string().max(40).describe('As the list names it: <edition>-<number>.') }),
  answer: linkedDocument('The page.'),
  run: async ({ page }, { iiif }: Pick<Services, 'iiif'>, call) =>
    answer(await iiif.changes(page), DISCOVERY, call),
});

export const presentationOperations = [
  manifest,
  collections,
  collectionPart,
  collection,
  changes,
  changesPage,
];
