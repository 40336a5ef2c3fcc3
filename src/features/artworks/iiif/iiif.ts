import { join } from 'node:path';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Reserve } from '../../../core/request_scope/types.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { IIIF_PAGE_CHANGES, IIIF_PART_WORKS } from '../limits.ts';
import { MUSEUM_NAMES, type MuseumName } from '../museums/museums.ts';
import { isWhole } from '../records/record.ts';
import type { StoredRecord } from '../records/record_store.ts';
import type { Artworks } from '../types.ts';
import { countChanges, readImageChanges } from './change_store.ts';
import { changeCollection, changePage, pagesOf } from './changes.ts';
import type { ImageVersion } from './geometry.ts';
import { imageInfo } from './image_info.ts';
import { type ImageFormat, readImageRequest } from './image_request.ts';
import {
  collectionOfAll,
  collectionOfParts,
  collectionOfWorks,
  manifestOf,
  rightsOf,
} from './presentation.ts';
import { createPyramids, type Pyramid } from './pyramids.ts';
import { createTiles, isBrokenFile } from './tiles.ts';
import type { Asker } from './turns_by_address.ts';
import type { Iiif } from './types.ts';

interface Parts {
  readonly database: Database;
  readonly artworks: Pick<Artworks, 'complete' | 'picture' | 'edition' | 'page' | 'bounds'>;
  readonly pixels: Pick<Pixels, 'run'>;
  /** Where pictures are kept that are ready to be cut, and what was cut of them. */
  readonly folder: string;
  readonly reserve: Reserve | undefined;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** False: nothing is shown. */
  readonly isOn: boolean;
}

const KNOWN_WORKS_MAX = 1000;
const TYPES: Record<ImageFormat, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

export function createIiif(parts: Parts): Iiif {
  const { artworks, isOn, publicUrl } = parts;
  const requireOn = () => {
    if (!isOn) throw new AtelierError('not_found', 'This server shows no pictures by IIIF (IIIF=false).');
  };
  const addresses = addressesUnder(publicUrl);
  const withPicture = createWithPicture(artworks);
  const find = async (id: string) => {
    requireOn();
    return withPicture(id);
  };
  const pictures = createImages(parts, { find, addresses });
  const lists = createLists(parts, addresses);
  return {
    ...pictures,
    service(id, version) {
      requireOn();
      return addresses.service(id, version);
    },
    async collection(of) {
      requireOn();
      return lists.collection(of);
    },
    async changes(page) {
      requireOn();
      return lists.changes(page);
    },
  };
}

interface Within {
  /** A work whose record names a picture. */
  find(id: string): Promise<StoredRecord>;
  readonly addresses: ReturnType<typeof addressesUnder>;
}

/** Pictures, what they say of themselves, and the works they are of. */
function createImages({ artworks, folder, reserve, pixels }: Parts, { find, addresses }: Within) {
  const picture: Artworks['picture'] = (id, size) => artworks.picture(id, size).catch(saySo);
  const pyramids = createPyramids({ folder: join(folder, 'pyramids'), pixels, picture });
  const tiles = createTiles({ folder: join(folder, 'tiles'), reserve, pixels });
  /** As the picture here has it, else as the museum says, else as the picture has it once it is brought. */
  const sizeOf = async ({ record }: StoredRecord, asker: Asker) => {
    const here = await pyramids.kept(record);
    if (here) return here;
    const { width = null, height = null } = record.image ?? {};
    return width && height ? { width, height } : pyramids.pyramid(record, asker);
  };
  return {
    info: async (id, version, asker) => {
      const { record } = await find(id);
      const { width, height } = await pyramids.pyramid(record, asker);
      return imageInfo(version, {
        ...{ id: addresses.service(record.id, version), width, height },
        ...{ rights: rightsOf(record), manifest: addresses.manifest(record.id) },
      });
    },
    image: async (id, request, asker) => {
      const { record } = await find(id);
      const cut = async (pyramid: Pyramid) => {
        const rendering = readImageRequest(request, pyramid);
        const bytes = await tiles.tile(pyramid, rendering, asker);
        const canonical = `${addresses.service(record.id, request.version)}/${rendering.canonical}`;
        return { bytes, contentType: TYPES[rendering.format], canonical };
      };
      try {
        return await cut(await pyramids.pyramid(record, asker));
      } catch (error) {
        if (!isBrokenFile(error)) throw error;
        await pyramids.forget(record);
        return cut(await pyramids.pyramid(record, asker));
      }
    },
    manifest: async (id, asker) => {
      const work = await find(id);
      return manifestOf(work, await sizeOf(work, asker), addresses);
    },
    sweep: async () => (await tiles.sweep()) + (await pyramids.sweep()),
  } satisfies Pick<Iiif, 'info' | 'image' | 'manifest' | 'sweep'>;
}

/** Collections of works, and what editions changed. */
function createLists({ database, artworks }: Parts, addresses: Within['addresses']) {
  const edition = remembered(artworks.edition);
  const counted = edition((number) => countWorks(artworks, number));
  const pages = edition(async () => pagesOf(await countChanges(database), IIIF_PAGE_CHANGES));
  return {
    collection: async (of) => {
      const museums = await counted();
      if (!of) return collectionOfAll(museums, addresses);
      const found = museums.find(({ museum }) => museum === of.museum);
      const parts = Math.ceil((found?.works ?? 0) / IIIF_PART_WORKS);
      if (!found || (of.part !== undefined && (parts < 2 || of.part > parts)))
        throw new AtelierError('not_found', nothingOf(of.museum, museums));
      if (of.part === undefined && parts > 1) return collectionOfParts(found, IIIF_PART_WORKS, addresses);
      const offset = ((of.part ?? 1) - 1) * IIIF_PART_WORKS;
      const { works } = await artworks.page({ ...worksOf(found.museum), offset, limit: IIIF_PART_WORKS });
      return collectionOfWorks({ museum: found.museum, part: of.part }, works, addresses);
    },
    changes: async (name) => {
      const all = await pages();
      if (name === undefined) return changeCollection(all, addresses);
      const page = all.find((one) => one.name === name);
      if (!page)
        throw new AtelierError(
          'not_found',
          `There is no page ${name.slice(0, 40)}; ${addresses.changes()} names the last.`,
        );
      const { edition: of, offset } = page;
      const asked = { edition: of.edition, offset, limit: IIIF_PAGE_CHANGES };
      return changePage(page, await readImageChanges(database, asked), { pages: all, addresses });
    },
  } satisfies Pick<Iiif, 'collection' | 'changes'>;
}

/**
 * Finds a work whose record names a picture. A whole record holds as long as its edition, so the works of viewers are read once.
 * @throws AtelierError artwork_not_found, image_not_found, picture_unavailable
 */
function createWithPicture({ edition, complete }: Parts['artworks']): Within['find'] {
  const known = new Map<string, StoredRecord>();
  let of: number | undefined;
  return async (id) => {
    const { number } = await edition();
    if (of !== number) known.clear();
    of = number;
    const before = known.get(id);
    if (before) return before;
    const work = await complete(id);
    if (work.record.image) {
      if (known.size >= KNOWN_WORKS_MAX) known.clear();
      if (isWhole(work.record) && work.edition.number === of && !work.live) known.set(id, work);
      return work;
    }
    const { problem, retryAfterSeconds } = work.live ?? {};
    if (problem && retryAfterSeconds !== undefined)
      throw new AtelierError('picture_unavailable', `No picture of ${id} is here. ${problem}`, {
        retryAfterSeconds,
      });
    throw new AtelierError('image_not_found', `No picture of ${id} is known here. ${problem ?? ''}`.trim());
  };
}

const addressesUnder = (publicUrl: string) => ({
  service: (id: string, version: ImageVersion) => `${publicUrl}/iiif/${version}/${encoded(id)}`,
  manifest: (id: string) => `${publicUrl}/iiif/manifest/${encoded(id)}`,
  collection: (museum?: string, part?: number) =>
    [publicUrl, 'iiif', 'collection', museum, part].filter((step) => step !== undefined).join('/'),
  changes: (page?: string) => `${publicUrl}/iiif/changes${page === undefined ? '' : `/${page}`}`,
});

/** Letters, digits and `-._~:()` stand as they are; in an identifier there is nothing else. */
const encoded = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':');

/** Viewers know 503, and come again. */
function saySo(error: unknown): never {
  if (!(error instanceof AtelierError) || error.code !== 'upstream_failed') throw error;
  const { retryAfterSeconds = 60 } = error.details;
  throw new AtelierError('picture_unavailable', error.message, { retryAfterSeconds, cause: error });
}

const worksOf = (museum: MuseumName) => ({ from: `${museum}_`, to: `${museum}_~`, hasImage: true });

/** Museums with works that name a picture. */
async function countWorks({ bounds }: Pick<Artworks, 'bounds'>, edition: number) {
  const counts = [];
  for (const museum of MUSEUM_NAMES) {
    const { count } = await bounds({ edition, ...worksOf(museum), limit: Number.MAX_SAFE_INTEGER });
    if (count > 0) counts.push({ museum, works: count });
  }
  return counts;
}

const nothingOf = (museum: string, museums: readonly { museum: string }[]) =>
  `There is no such collection of ${museum.slice(0, 40)}. Museums with pictures here: ${museums.map((one) => one.museum).join(', ') || 'none'}.`;

/** Does something once for each edition: what is published never changes. */
function remembered(edition: Artworks['edition']) {
  return <T>(work: (number: number) => Promise<T>): (() => Promise<T>) => {
    let last: { number: number; done: Promise<T> } | undefined;
    return async () => {
      const { number } = await edition();
      if (last?.number !== number) {
        const done = work(number);
        last = { number, done };
        done.catch(() => {
          last = undefined;
        });
      }
      return last.done;
    };
  };
}
