import { IIIF_AREA_MAX, IIIF_SIDE_PX_MAX, IIIF_TILE_PX } from '../limits.ts';
import { MUSEUMS, type MuseumName } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { StoredRecord } from '../records/record_store.ts';
import { FORMATS, type ImageVersion, largestOf, QUALITIES, type Size } from './image_request.ts';

/** JSON-LD context and profile of each version. */
const IMAGE_API = {
  2: {
    context: 'http://iiif.io/api/image/2/context.json',
    profile: 'http://iiif.io/api/image/2/level2.json',
  },
  3: {
    context: 'http://iiif.io/api/image/3/context.json',
    profile: 'http://iiif.io/api/image/3/level2.json',
  },
} as const satisfies Record<ImageVersion, object>;

const PROTOCOL = 'http://iiif.io/api/image';
/** Features of version 3 beyond level 2. */
const MORE_OF_3 = [
  'canonicalLinkHeader',
  'mirroring',
  'profileLinkHeader',
  'rotationArbitrary',
  'sizeUpscaling',
];
/** Features of version 2 beyond level 2. */
const MORE_OF_2 = [
  'canonicalLinkHeader',
  'mirroring',
  'profileLinkHeader',
  'regionSquare',
  'rotationArbitrary',
  'sizeAboveFull',
];

interface Described extends Size {
  /** URL of the image service, without a trailing slash. */
  readonly id: string;
  /** URL of the licence or mark. */
  readonly rights: string;
  readonly manifest: string;
}

/** The info.json of an image (Image API 3.0, 5; 2.1.1, 5). */
export function imageInfo(version: ImageVersion, { id, width, height, rights, manifest }: Described): object {
  const { context, profile } = IMAGE_API[version];
  const shape = { width, height, sizes: sizesOf({ width, height }), tiles: tilesOf({ width, height }) };
  const limits = { maxWidth: IIIF_SIDE_PX_MAX, maxHeight: IIIF_SIDE_PX_MAX, maxArea: IIIF_AREA_MAX };
  if (version === 2)
    return {
      '@context': context,
      '@id': id,
      protocol: PROTOCOL,
      ...shape,
      profile: [profile, { formats: FORMATS, qualities: QUALITIES, supports: MORE_OF_2, ...limits }],
      license: rights,
    };
  return {
    '@context': context,
    id,
    type: 'ImageService3',
    protocol: PROTOCOL,
    profile: 'level2',
    ...shape,
    ...limits,
    preferredFormats: ['jpg'],
    extraFormats: FORMATS.filter((format) => !['jpg', 'png'].includes(format)),
    extraQualities: QUALITIES.filter((quality) => quality !== 'default'),
    extraFeatures: MORE_OF_3,
    rights,
    partOf: [{ id: manifest, type: 'Manifest' }],
  };
}

/** Powers of two, up to the one at which the whole image is one tile. */
function scaleFactors({ width, height }: Size): number[] {
  const last = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / IIIF_TILE_PX)));
  return Array.from({ length: last + 1 }, (_, step) => 2 ** step);
}

const tilesOf = (full: Size) => [{ width: IIIF_TILE_PX, scaleFactors: scaleFactors(full) }];

/** Sizes of the whole image, smallest first, up to the largest one served. */
function sizesOf(full: Size): Size[] {
  const largest = largestOf(full);
  return scaleFactors(full)
    .map((factor) => ({ width: Math.ceil(full.width / factor), height: Math.ceil(full.height / factor) }))
    .filter(({ width, height }) => width <= largest.width && height <= largest.height)
    .reverse();
}

export const PRESENTATION_CONTEXT = 'http://iiif.io/api/presentation/3/context.json';

/** URLs of the documents that reference each other. */
export interface Addresses {
  service(id: string, version: 2 | 3): string;
  manifest(id: string): string;
  /** Of all museums, of one museum, or of a page of its works. */
  collection(museum?: string, part?: number): string;
}

const THUMBNAIL_PX = 400;

/** Text in an unstated language (`none` in IIIF). */
const written = (...texts: string[]) => ({ none: texts });
const english = (text: string) => ({ en: [text] });

/**
 * Registered form of a licence URL: Creative Commons identifies licences by http URLs (Presentation API 3.0,
 * 3.2, rights).
 */
export const rightsOf = ({ rights }: Pick<ArtworkRecord, 'rights'>): string =>
  rights.url.replace(/^https:\/\/creativecommons\.org\//, 'http://creativecommons.org/');

/**
 * Manifest of a work with one image (Presentation API 3.0, 5.2).
 * @param size of the image, used for the canvas
 */
export function manifestOf({ record, seenOn }: StoredRecord, size: Size, addresses: Addresses): object {
  const { id, museum, title, source_url: page, credit_line: credit, description } = record;
  const { name, home } = MUSEUMS[museum];
  const manifest = addresses.manifest(id);
  return {
    '@context': PRESENTATION_CONTEXT,
    id: manifest,
    type: 'Manifest',
    label: written(title),
    metadata: metadataOf(record, seenOn),
    ...(description && { summary: written(description) }),
    rights: rightsOf(record),
    requiredStatement: { label: english('Credit'), value: written(credit || name) },
    provider: [{ id: home, type: 'Agent', label: written(name), homepage: [pageOf(home, name)] }],
    homepage: [pageOf(page, title)],
    thumbnail: [thumbnailOf(id, size, addresses)],
    partOf: [{ id: addresses.collection(museum), type: 'Collection' }],
    items: [canvasOf(record, size, addresses)],
  };
}

const pageOf = (id: string, label: string) => ({
  id,
  type: 'Text',
  format: 'text/html',
  label: written(label),
});

function canvasOf({ id, title }: ArtworkRecord, { width, height }: Size, addresses: Addresses): object {
  const canvas = `${addresses.manifest(id)}/canvas`;
  return {
    id: canvas,
    type: 'Canvas',
    width,
    height,
    label: written(title),
    items: [
      {
        id: `${canvas}/page`,
        type: 'AnnotationPage',
        items: [
          {
            id: `${canvas}/page/picture`,
            type: 'Annotation',
            motivation: 'painting',
            body: {
              id: `${addresses.service(id, 3)}/full/max/0/default.jpg`,
              type: 'Image',
              format: 'image/jpeg',
              ...largestOf({ width, height }),
              service: servicesOf(id, addresses),
            },
            target: canvas,
          },
        ],
      },
    ],
  };
}

const servicesOf = (id: string, addresses: Addresses) => [
  { id: addresses.service(id, 3), type: 'ImageService3', profile: 'level2' },
  { '@id': addresses.service(id, 2), '@type': 'ImageService2', profile: IMAGE_API[2].profile },
];

function thumbnailOf(id: string, size: Size, addresses: Addresses): object {
  const scale = Math.min(1, THUMBNAIL_PX / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  return {
    id: `${addresses.service(id, 3)}/full/${scale < 1 ? `${width},${height}` : 'max'}/0/default.jpg`,
    type: 'Image',
    format: 'image/jpeg',
    width,
    height,
    service: servicesOf(id, addresses),
  };
}

/** Metadata rows. States if a record was not read at its museum. */
function metadataOf(record: ArtworkRecord, seenOn: string | null): object[] {
  const { evidence, status } = record.rights;
  const free = status === 'cc0' ? 'CC0' : 'Public domain';
  const known = evidence
    ? `${free}: ${evidence.field} is ${evidence.value} in the museum's data${seenOn ? `, read on ${seenOn}` : ''}`
    : `${free}: written by hand in the starter catalogue; the museum was not asked`;
  const fields: [string, string[]][] = [
    ['Maker', record.artists.map(({ name }) => name)],
    ['Date', [record.date]],
    ['Medium', [record.medium]],
    ['Dimensions', [record.dimensions]],
    ['Classification', [record.classification]],
    ['Culture', [record.culture]],
    ['Accession number', [record.accession_number]],
    ['Identifier', [record.id]],
  ];
  return [
    ...fields
      .map(([label, values]) => ({ label, values: values.filter((value) => value !== '') }))
      .filter(({ values }) => values.length > 0)
      .map(({ label, values }) => ({ label: english(label), value: written(...values) })),
    { label: english('Rights'), value: english(known) },
  ];
}

interface Counted {
  readonly museum: MuseumName;
  readonly works: number;
}

/** Collection of the museums that have images here. */
export const collectionOfAll = (museums: readonly Counted[], addresses: Addresses): object => ({
  '@context': PRESENTATION_CONTEXT,
  id: addresses.collection(),
  type: 'Collection',
  label: english('Public-domain works of museums'),
  items: museums.map(({ museum }) => ({
    id: addresses.collection(museum),
    type: 'Collection',
    label: written(MUSEUMS[museum].name),
  })),
});

/** Collection of a museum's pages, for a museum with too many works for one document. */
export const collectionOfParts = (
  { museum, works }: Counted,
  partWorks: number,
  addresses: Addresses,
): object => ({
  ...museumCollection(museum, addresses.collection(museum), addresses.collection()),
  label: written(MUSEUMS[museum].name),
  items: Array.from({ length: Math.ceil(works / partWorks) }, (_, at) => ({
    id: addresses.collection(museum, at + 1),
    type: 'Collection',
    label: english(`Works ${at * partWorks + 1} to ${Math.min(works, (at + 1) * partWorks)} of ${works}`),
  })),
});

/** Collection of works of a museum, one manifest each; `part` absent: all its works. */
export const collectionOfWorks = (
  { museum, part }: { readonly museum: MuseumName; readonly part?: number | undefined },
  works: readonly StoredRecord[],
  addresses: Addresses,
): object => ({
  ...museumCollection(
    museum,
    addresses.collection(museum, part),
    part === undefined ? addresses.collection() : addresses.collection(museum),
  ),
  label: written(MUSEUMS[museum].name + (part === undefined ? '' : `, ${part}`)),
  items: works.map(({ record: { id, title } }) => ({
    id: addresses.manifest(id),
    type: 'Manifest',
    label: written(title),
  })),
});

const museumCollection = (museum: MuseumName, id: string, above: string) => ({
  '@context': PRESENTATION_CONTEXT,
  id,
  type: 'Collection',
  homepage: [pageOf(MUSEUMS[museum].home, MUSEUMS[museum].name)],
  partOf: [{ id: above, type: 'Collection' }],
});
