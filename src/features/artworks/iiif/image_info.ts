import { IIIF_AREA_MAX, IIIF_SIDE_PX_MAX, IIIF_TILE_PX } from '../limits.ts';
import type { ImageVersion, Size } from './geometry.ts';
import { FORMATS, QUALITIES } from './image_request.ts';
import { largestOf } from './scaled_size.ts';

/** Where what each version says of itself is defined. */
export const IMAGE_API = {
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
/** Beyond level 2 of the third version. */
const MORE_OF_3 = [
  'canonicalLinkHeader',
  'mirroring',
  'profileLinkHeader',
  'rotationArbitrary',
  'sizeUpscaling',
];
/** Beyond level 2 of the second. */
const MORE_OF_2 = [
  'canonicalLinkHeader',
  'mirroring',
  'profileLinkHeader',
  'regionSquare',
  'rotationArbitrary',
  'sizeAboveFull',
];

interface Described extends Size {
  /** Address of the picture as an image service, without a slash at its end. */
  readonly id: string;
  /** Licence or mark. */
  readonly rights: string;
  readonly manifest: string;
}

/** What info.json says of a picture (Image API 3.0, 5; 2.1.1, 5). */
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

/** Powers of two, up to the one at which the whole picture is one tile. */
function scaleFactors({ width, height }: Size): number[] {
  const last = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / IIIF_TILE_PX)));
  return Array.from({ length: last + 1 }, (_, step) => 2 ** step);
}

const tilesOf = (full: Size) => [{ width: IIIF_TILE_PX, scaleFactors: scaleFactors(full) }];

/** The whole picture, smallest first, within what is made at all. */
function sizesOf(full: Size): Size[] {
  const largest = largestOf(full);
  return scaleFactors(full)
    .map((factor) => ({ width: Math.ceil(full.width / factor), height: Math.ceil(full.height / factor) }))
    .filter(({ width, height }) => width <= largest.width && height <= largest.height)
    .reverse();
}
