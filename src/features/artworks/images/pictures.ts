import { identify } from '@atelier/imaging/codecs/identify.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { createSharedRuns } from '../../../core/shared_runs.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { MirrorFiles } from '../image_cache/mirror_files.ts';
import { IMPORTERS } from '../museums/importers.ts';
import { MUSEUMS } from '../museums/museums.ts';
import { type Museums, MuseumUnavailable } from '../on_demand/museum_client.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { VisualDescriptors } from '../visual_similarity/visual_descriptors.ts';
import type { PictureCache } from './picture_cache.ts';
import { PICTURE_SIZES, PICTURE_WIDTHS, type PictureSize } from './sizes.ts';

interface PicturesDeps {
  readonly cache: PictureCache;
  readonly mirror: Pick<MirrorFiles, 'read'>;
  readonly museums: Museums;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly looks: Pick<VisualDescriptors, 'note'>;
}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

type Image = NonNullable<ArtworkRecord['image']>;

/**
 * Serves images of works, cached ones without delay. Concurrent requests for an image share one request to
 * its museum.
 */
export function createPictures(parts: PicturesDeps) {
  const shared = createSharedRuns<Picture>();

  /** @throws AtelierError image_not_found: the work has no image; upstream_failed: the museum does not deliver it */
  async function picture(record: ArtworkRecord, size: PictureSize): Promise<Picture> {
    const { id, image } = record;
    if (!image) {
      throw new AtelierError('image_not_found', `${id} has no image.`);
    }
    const key = keyOf(id, size, image.url);
    return shared(key, async () => {
      const kept = await parts.cache.get(key);
      if (kept) {
        parts.looks.note(id, image.url, kept);
        return { bytes: kept, contentType: typeOf(kept) ?? 'application/octet-stream' };
      }
      const { isAsAsked, ...loaded } = await loadOrMirrored(record, image, size);
      if (isAsAsked) await parts.cache.put(key, loaded.bytes);
      parts.looks.note(id, image.url, loaded.bytes);
      return loaded;
    });
  }

  /** Reads from the mirror to spare the museum. If the museum fails, returns the nearest size in the mirror. */
  async function loadOrMirrored(record: ArtworkRecord, image: Image, size: PictureSize) {
    const mirrored = await parts.mirror.read(record.id);
    const isAsAsked = mirrored?.url === image.url && ['full', size].includes(mirrored.size);
    if (mirrored && isAsAsked) return { ...(await inSize(mirrored, size)), isAsAsked };
    try {
      return { ...(await load(record, image, size)), isAsAsked: true };
    } catch (error) {
      // If the museum responds that it no longer offers the image, the mirror is not used.
      const isAway = error instanceof AtelierError && error.code === 'upstream_failed';
      if (!mirrored || !isAway) throw error;
      return { ...(await inSize(mirrored, size)), isAsAsked: false };
    }
  }

  const inSize = async ({ picture: bytes }: { readonly picture: Uint8Array }, size: PictureSize) => {
    const kept = { bytes, contentType: typeOf(bytes) ?? 'application/octet-stream' };
    return size === 'full' ? kept : resizePicture(parts, kept, size);
  };

  async function load(record: ArtworkRecord, image: Image, size: PictureSize): Promise<Picture> {
    if (image.kind === 'iiif') return fetchPicture(parts, record, iiifUrl(image, size));
    if (size !== 'full') return resizePicture(parts, await picture(record, 'full'), size);
    return fetchPicture(
      parts,
      record,
      image.kind === 'file' ? image.url : await lookUp(parts, record, image.url),
    );
  }

  return { picture };
}

const keyOf = (id: string, size: PictureSize, url: string): string => JSON.stringify([id, size, url]);

/** The smallest stored size of a work's image. Sends no request to the museum. */
export async function keptPicture(
  cache: Pick<PictureCache, 'get'>,
  { id, image }: ArtworkRecord,
): Promise<Uint8Array | undefined> {
  for (const size of image ? PICTURE_SIZES : []) {
    const bytes = await cache.get(keyOf(id, size, image!.url));
    if (bytes) return bytes;
  }
  return undefined;
}

async function fetchPicture({ museums }: PicturesDeps, record: ArtworkRecord, url: string): Promise<Picture> {
  const bytes = await fromMuseum(record, () => museums.picture(record.museum, url));
  const contentType = typeOf(bytes);
  if (!contentType) throw pictureError(record, 'returned a file that is not an image');
  return { bytes, contentType };
}

/** The museum's API is the only source of the image URL (the Met, Minneapolis). */
async function lookUp({ museums }: PicturesDeps, record: ArtworkRecord, url: string): Promise<string> {
  const { pauseMs = 0, pictureIn } = IMPORTERS[record.museum].live ?? {};
  const { value } = await fromMuseum(record, () => museums.json(record.museum, url, { pauseMs }));
  const address = value && pictureIn?.(value);
  if (address) return address;
  throw new AtelierError('image_not_found', `The museum has no public image of ${record.id}.`);
}

async function fromMuseum<T>(record: ArtworkRecord, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof MuseumUnavailable)) throw error;
    throw pictureError(record, error.what, error);
  }
}

async function resizePicture(
  { pixels }: PicturesDeps,
  { bytes, contentType }: Picture,
  size: keyof typeof PICTURE_WIDTHS,
): Promise<Picture> {
  const { width, height } = pictureHeader(bytes);
  const wanted = PICTURE_WIDTHS[size];
  if (width <= wanted) return { bytes, contentType };
  const shape = { width: wanted, height: Math.max(1, Math.round((height * wanted) / width)) };
  const smaller = await pixels.run(
    'resize',
    { bytes, ...shape, mode: 'contain', format: 'jpeg', quality: 88 },
    { pixels: width * height + shape.width * shape.height, signal: new AbortController().signal },
  );
  return { bytes: smaller.bytes, contentType: smaller.contentType };
}

function typeOf(bytes: Uint8Array): string | undefined {
  const kind = identify(bytes);
  return 'format' in kind ? `image/${kind.format}` : undefined;
}

/** Names the museum but discloses no details of the failed request. */
const pictureError = (
  { id, museum, source_url }: ArtworkRecord,
  what: string,
  cause?: MuseumUnavailable,
): AtelierError =>
  new AtelierError(
    'upstream_failed',
    `The image of ${id} is not available now: ${MUSEUMS[museum].name} ${what}. Try again later, or open ${source_url}.`,
    { retryAfterSeconds: cause?.retryAfterSeconds ?? 60, cause },
  );

type IiifUrlImage = NonNullable<ArtworkRecord['image']>;

/**
 * Address of an image in that size on a IIIF image server (Image API 2 and 3). Sends only the width, which all servers accept, and never
 * more than the original has, which some reject.
 */
function iiifUrl({ url, width }: IiifUrlImage, size: PictureSize): string {
  if (size === 'full') return `${url}/full/${url.includes('/iiif/2/') ? 'full' : 'max'}/0/default.jpg`;
  return `${url}/full/${Math.min(PICTURE_WIDTHS[size], width ?? Number.POSITIVE_INFINITY)},/0/default.jpg`;
}
