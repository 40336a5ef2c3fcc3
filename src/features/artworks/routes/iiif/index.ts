import { z } from 'zod';
import { AtelierError } from '../../../../core/errors/atelier_error.ts';
import {
  type AnyOperation,
  type BytesAnswer,
  defineOperation,
  type FileType,
  type OperationCall,
} from '../../../definitions/operation.ts';
import type { Limit } from '../../../definitions/tool.ts';
import { untrustedFile } from '../../../definitions/untrusted_file.ts';
import type { Services } from '../../../services.ts';
import { MUSEUM_NAMES } from '../../museums/museums.ts';

interface LinkedDataOptions {
  /** JSON-LD context of the document; part of its media type unless the client requests another one. */
  readonly context: string;
  readonly accept: string | undefined;
  /** Additional `Link` headers. */
  readonly links?: readonly string[];
  /** Returns plain JSON to a client without an Accept header, as version 2 of the Image API requires. */
  readonly isPlain?: boolean;
}

/** A IIIF document as JSON-LD or JSON, by content negotiation. */
function linkedData(
  document: object,
  { context, accept = '', links = [], isPlain = false }: LinkedDataOptions,
): BytesAnswer {
  const asksFor = {
    linked: accept.includes('application/ld+json'),
    plain: accept.includes('application/json'),
  };
  const isLinked = asksFor.linked || (!asksFor.plain && !isPlain);
  const link = isLinked
    ? links
    : [...links, `<${context}>;rel="${JSON_LD_CONTEXT}";type="application/ld+json"`];
  return {
    bytes: JSON.stringify(document),
    contentType: isLinked ? `application/ld+json;profile="${context}"` : 'application/json',
    headers: { Vary: 'Accept', ...(link.length > 0 && { Link: link.join(', ') }) },
  };
}

/** OpenAPI description of such a document. */
const linkedDocument = (description: string): FileType => ({
  file: 'application/ld+json',
  alsoAs: 'application/json',
  description,
});

const JSON_LD_CONTEXT = 'http://www.w3.org/ns/json-ld#context';

/** A viewer that is panned quickly requests dozens of tiles per second. */
const IIIF_LIMIT: Limit = { name: 'iiif', calls: 6000, perSeconds: 60, by: 'address' };
/** Documents and images are valid until the next edition, and museums rarely change an image. */
const DOCUMENT_CACHE_SECONDS = 3600;
const IMAGE_CACHE_SECONDS = 86_400;

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
  summary: 'A museum work with its picture as a manifest (IIIF Presentation API 3.0), for any viewer.',
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
  summary: 'A part of the works of a museum as a collection of manifests, in the order of their ids.',
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
  summary: 'The works of a museum that have a picture as a collection, or its parts where they are many.',
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
    'Manifests that have come, changed or gone with each edition (IIIF Change Discovery 1.0): the list of pages.',
  input: z.object({}),
  answer: linkedDocument('The ordered collection.'),
  run: async (_, { iiif }: Pick<Services, 'iiif'>, call) => answer(await iiif.changes(), DISCOVERY, call),
});

const changesPage = defineOperation({
  ...shared,
  name: 'iiif_changes_page',
  path: '/iiif/changes/{page}',
  summary: 'A page of changes, all of one edition.',
  input: z.object({ page: z.string().max(40).describe('As the list names it: <edition>-<number>.') }),
  answer: linkedDocument('The page.'),
  run: async ({ page }, { iiif }: Pick<Services, 'iiif'>, call) =>
    answer(await iiif.changes(page), DISCOVERY, call),
});

const presentationOperations = [manifest, collections, collectionPart, collection, changes, changesPage];

const idField = z.string().max(200).describe('Of a work, as search_artworks answers it (credit_id).');
const part = (meaning: string) => z.string().max(100).describe(meaning);

type Version = 2 | 3;

/** Operations of an image service for one version of the Image API, level 2. */
const imageService = (version: Version): readonly AnyOperation[] =>
  // The last one matches every remaining path.
  [info(version), image(version), base(version)];

const named = (version: Version) => (version === 3 ? 'IIIF Image API 3.0' : 'IIIF Image API 2.1');
const profile = (version: Version) => `<http://iiif.io/api/image/${version}/level2.json>;rel="profile"`;

const image = (version: Version) =>
  defineOperation({
    name: `iiif_image_${version}`,
    methods: ['GET'],
    path: `/iiif/${version}/{id}/{region}/{size}/{rotation}/{file}`,
    tag: 'iiif',
    summary: `A part of the picture of a museum work: ${named(version)}, level 2. Free. 503 where the picture cannot be had just now.`,
    input: z.object({
      id: idField,
      region: part('full, square, x,y,w,h or pct:x,y,w,h.'),
      size: part(
        version === 3
          ? 'max, w, or ,h or pct:n or w,h or !w,h; with ^ before it, it may be larger than the region.'
          : 'full, max, w, or ,h or pct:n or w,h or !w,h.',
      ),
      rotation: part('Degrees clockwise; ! before them mirrors.'),
      file: part('quality.format: default, color, gray or bitonal; jpg, png or webp.'),
    }),
    limit: IIIF_LIMIT,
    answer: { file: 'image/*', description: 'The part of the picture.' },

    async run({ id, ...request }, { iiif }: Pick<Services, 'iiif'>, call) {
      const { bytes, contentType, canonical } = await iiif.image(id, { version, ...request }, call);
      const answer = untrustedFile(bytes, contentType, `public, max-age=${IMAGE_CACHE_SECONDS}`);
      return {
        ...answer,
        headers: { ...answer.headers, Link: `${profile(version)}, <${canonical}>;rel="canonical"` },
      };
    },
  });

const info = (version: Version) =>
  defineOperation({
    name: `iiif_info_${version}`,
    methods: ['GET'],
    path: `/iiif/${version}/{id}/info.json`,
    tag: 'iiif',
    summary: `Size of the picture of a museum work, and the tiles to ask for: info.json of the ${named(version)}.`,
    input: z.object({ id: idField }),
    limit: IIIF_LIMIT,
    cacheSeconds: DOCUMENT_CACHE_SECONDS,
    answer: linkedDocument('As the Image API says.'),

    run: async ({ id }, { iiif }: Pick<Services, 'iiif'>, call) =>
      linkedData(await iiif.info(id, version, call), {
        context: `http://iiif.io/api/image/${version}/context.json`,
        accept: call.header('accept'),
        links: [profile(version)],
        isPlain: version === 2,
      }),
  });

const base = (version: Version) =>
  defineOperation({
    name: `iiif_picture_${version}`,
    methods: ['GET'],
    path: `/iiif/${version}/{id}`,
    tag: 'iiif',
    summary: `Leads to info.json of the picture (${named(version)}).`,
    input: z.object({ id: idField }),
    limit: IIIF_LIMIT,
    answer: { file: 'text/plain', description: 'Empty.' },
    leadsTo: 'info.json of the picture.',

    async run({ id }, { iiif }: Pick<Services, 'iiif'>) {
      if (id.includes('/'))
        throw new AtelierError(
          'not_found',
          'A picture is asked for as {id}/{region}/{size}/{rotation}/{quality}.{format}; a slash within an identifier has to be sent as %2F.',
        );
      const headers = { Location: `${iiif.service(id, version)}/info.json` };
      return { bytes: '', contentType: 'text/plain', status: 303, headers };
    },
  });

/** IIIF operations on images of the dataset. */
export const iiifOperations: readonly AnyOperation[] = [
  ...imageService(3),
  ...imageService(2),
  ...presentationOperations,
];
