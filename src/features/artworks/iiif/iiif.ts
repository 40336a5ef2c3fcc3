import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Reserve } from '../../../core/request_scope/request_scope.ts';
import { createSharedRuns } from '../../../core/shared_runs.ts';
import { isMissing, makeFolder, refuseFullDisk, writeNewFile } from '../../../core/storage/blobs/disk.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { createPictureCache, sweepFolder } from '../images/picture_cache.ts';
import type { PictureSize } from '../images/sizes.ts';
import {
  IIIF_PAGE_CHANGES,
  IIIF_PART_WORKS,
  IIIF_PICTURES_AT_ONCE,
  IIIF_PICTURES_WAITING_MAX,
  IIIF_PYRAMIDS_BYTES_MAX,
  IIIF_TILES_AT_ONCE,
  IIIF_TILES_BYTES_MAX,
  IIIF_TILES_WAITING_MAX,
  IIIF_WAITING_MAX,
} from '../limits.ts';
import { MUSEUM_NAMES, type MuseumName } from '../museums/museums.ts';
import { type ArtworkRecord, isWhole } from '../records/record.ts';
import type { StoredRecord } from '../records/record_store.ts';
import type { Artworks } from '../types.ts';
import { type Change, countChanges, type EditionChanges, readImageChanges } from './change_store.ts';
import {
  type ImageFormat,
  type ImageVersion,
  type Rendering,
  readImageRequest,
  type Size,
} from './image_request.ts';
import { type Asker, limitPerAddress } from './limit_per_address.ts';
import {
  collectionOfAll,
  collectionOfParts,
  collectionOfWorks,
  imageInfo,
  manifestOf,
  rightsOf,
} from './presentation.ts';
import type { Iiif } from './types.ts';

/** A tiled multi-resolution image of a work on disk. */
interface Pyramid extends Size {
  readonly path: string;
  /** sha256 of the source image. */
  readonly sha256: string;
}

interface PyramidsDeps {
  readonly folder: string;
  readonly pixels: Pick<Pixels, 'run'>;
  /** The image of a work, from the cache or its museum. */
  picture(id: string, size: PictureSize): Promise<{ readonly bytes: Uint8Array }>;
}

/** Interval at which the last use of a file is recorded. */
const USE_NOTED_MS = 60_000;
const KNOWN_MAX = 10_000;

/** Cache of image pyramids. Concurrent requests for one share a single fetch and conversion. */
function createPyramids(parts: PyramidsDeps) {
  const { folder } = parts;
  const known = new Map<string, Pyramid & { notedMs: number }>();
  const shared = createSharedRuns<Pyramid>();
  const turns = limitPerAddress({
    atOnce: IIIF_PICTURES_AT_ONCE,
    waitingMax: IIIF_PICTURES_WAITING_MAX,
    waitingMaxOfAll: IIIF_WAITING_MAX,
  });

  /** The stored pyramid, if any. Sends no request to the museum. */
  async function kept(record: ArtworkRecord): Promise<Pyramid | undefined> {
    const key = keyOf(record);
    const before = known.get(key);
    if (before && performance.now() - before.notedMs < USE_NOTED_MS) return before;
    const found = await readPyramid(join(folder, key));
    if (!found) {
      known.delete(key);
      return undefined;
    }
    known.set(key, { ...found, notedMs: performance.now() });
    for (const oldest of known.keys()) {
      if (known.size <= KNOWN_MAX) break;
      known.delete(oldest);
    }
    return found;
  }

  /**
   * @throws AtelierError of the image and its decoding; busy
   */
  async function pyramid(record: ArtworkRecord, asker: Asker): Promise<Pyramid> {
    return shared(
      keyOf(record),
      async () => (await kept(record)) ?? turns(asker, () => make(parts, record, asker)),
    );
  }

  return {
    kept,
    pyramid,
    /** Deletes an invalid pyramid. The next request makes it again. */
    async forget(record: ArtworkRecord): Promise<void> {
      known.delete(keyOf(record));
      await rm(join(folder, `${keyOf(record)}.json`), { force: true });
    },
    sweep: () => sweepFolder(folder, IIIF_PYRAMIDS_BYTES_MAX),
  };
}

async function make(
  { folder, pixels, picture }: PyramidsDeps,
  record: ArtworkRecord,
  asker: Asker,
): Promise<Pyramid> {
  const { bytes } = await pictureToCut(record, picture);
  const path = join(folder, keyOf(record));
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
  const { width, height } = pictureHeader(bytes);
  try {
    return await refuseFullDisk(async () => {
      await makeFolder(folder, false);
      const control = {
        pixels: width * height,
        // Other requests wait for this image, too, so a client that disconnects must not abort it.
        signal: new AbortController().signal,
        address: asker.address,
        callerKey: asker.callerKey,
      };
      const size = await pixels.run('make_pyramid', { bytes, path: draft }, control);
      const made = { ...size, sha256: createHash('sha256').update(bytes).digest('hex') };
      await rename(draft, `${path}.tif`);
      await writeNewFile(draft, Buffer.from(JSON.stringify(made)), false);
      await rename(draft, `${path}.json`);
      return { ...made, path: `${path}.tif` };
    });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** If the full image exceeds this server's limit and the museum offers a smaller one, returns that. */
async function pictureToCut({ id, image }: ArtworkRecord, picture: PyramidsDeps['picture']) {
  try {
    const whole = await picture(id, 'full');
    pictureHeader(whole.bytes);
    return whole;
  } catch (error) {
    const isTooLarge = error instanceof AtelierError && error.code === 'image_too_large';
    if (!isTooLarge || image?.kind !== 'iiif') throw error;
    return picture(id, 'large');
  }
}

const keyOf = ({ id, image }: ArtworkRecord): string =>
  createHash('sha256')
    .update(JSON.stringify([id, image?.url]))
    .digest('hex');

/** The file written last marks the pyramid as complete. */
async function readPyramid(path: string): Promise<Pyramid | undefined> {
  const file = `${path}.tif`;
  try {
    const { width, height, sha256 } = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    await stat(file);
    // The modification time records the last use, for eviction.
    const now = new Date();
    await Promise.all([utimes(file, now, now), utimes(`${path}.json`, now, now)]);
    return { width, height, sha256, path: file };
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface TilesDeps {
  readonly folder: string;
  readonly reserve: Reserve | undefined;
  readonly pixels: Pick<Pixels, 'run'>;
}

/** Cache of image regions. Concurrent requests for one share a single rendering. */
function createTiles({ folder, reserve, pixels }: TilesDeps) {
  const cache = createPictureCache(folder, IIIF_TILES_BYTES_MAX, reserve);
  const shared = createSharedRuns<Uint8Array>();
  let isGrown = true;
  const turns = limitPerAddress({
    atOnce: IIIF_TILES_AT_ONCE,
    waitingMax: IIIF_TILES_WAITING_MAX,
    waitingMaxOfAll: IIIF_WAITING_MAX,
  });

  async function tile(pyramid: Pyramid, rendering: Rendering, asker: Asker): Promise<Uint8Array> {
    const { canonical: _, ...made } = rendering;
    const key = JSON.stringify([pyramid.sha256, pyramid.width, made]);
    return shared(key, async () => {
      const kept = await cache.get(key);
      if (kept) return kept;
      const bytes = await turns(asker, () => render(pyramid, made, asker));
      await cache.put(key, bytes);
      isGrown = true;
      return bytes;
    });
  }

  function render({ path }: Pyramid, made: Omit<Rendering, 'canonical'>, asker: Asker): Promise<Uint8Array> {
    return pixels.run(
      'render_region',
      { path, ...made },
      {
        pixels: pixelsOf(made),
        // A client that disconnects does not abort it for the others.
        signal: new AbortController().signal,
        address: asker.address,
        callerKey: asker.callerKey,
      },
    );
  }

  return {
    tile,
    /** Scans the folder only after new files were written. */
    async sweep(): Promise<number> {
      if (!isGrown) return 0;
      isGrown = false;
      return cache.sweep();
    },
  };
}

/** Memory estimate in pixels: the level read has at most twice the sides of the result; plus the result, twice if it is rotated. */
const pixelsOf = ({ region, size }: Pick<Rendering, 'region' | 'size'>): number =>
  Math.min(region.width * region.height, 4 * size.width * size.height) + 2 * size.width * size.height;

/** Whether the source file of a region is damaged. */
const isBrokenFile = (error: unknown): boolean =>
  error instanceof AtelierError && ['internal_error', 'undecodable_image'].includes(error.code);

const DISCOVERY_CONTEXT = 'http://iiif.io/api/discovery/1/context.json';

/** A page of the changes of one edition; `name` is the last segment of its URL. */
interface ChangePage {
  readonly name: string;
  readonly edition: EditionChanges;
  readonly offset: number;
  /** Index of its first change in the whole list. */
  readonly startIndex: number;
}

/** Pages of some editions, oldest changes first. A page never mixes two editions, so it is immutable. */
function pagesOf(editions: readonly EditionChanges[], pageChanges: number): ChangePage[] {
  let before = 0;
  return editions.flatMap((edition) => {
    const pages = Array.from({ length: Math.ceil(edition.changes / pageChanges) }, (_, at) => ({
      name: `${edition.edition}-${at + 1}`,
      edition,
      offset: at * pageChanges,
      startIndex: before + at * pageChanges,
    }));
    before += edition.changes;
    return pages;
  });
}

interface Addresses {
  manifest(id: string): string;
  /** The list of pages, or one page. */
  changes(page?: string): string;
}

/** The list of pages (Change Discovery 1.0, 3.1). */
function changeCollection(pages: readonly ChangePage[], addresses: Addresses): object {
  const last = pages.at(-1);
  return {
    '@context': DISCOVERY_CONTEXT,
    id: addresses.changes(),
    type: 'OrderedCollection',
    totalItems: pages.reduce(
      (most, { startIndex, edition, offset }) => Math.max(most, startIndex - offset + edition.changes),
      0,
    ),
    ...(pages[0] && last && { first: pageAt(pages[0], addresses), last: pageAt(last, addresses) }),
  };
}

/** One page, with its changes in the order of publication (3.2). */
function changePage(
  page: ChangePage,
  changes: readonly Change[],
  { pages, addresses }: { pages: readonly ChangePage[]; addresses: Addresses },
): object {
  const at = pages.findIndex(({ name }) => name === page.name);
  const [prev, next] = [pages[at - 1], pages[at + 1]];
  return {
    '@context': DISCOVERY_CONTEXT,
    id: addresses.changes(page.name),
    type: 'OrderedCollectionPage',
    partOf: { id: addresses.changes(), type: 'OrderedCollection' },
    startIndex: page.startIndex,
    ...(prev && { prev: pageAt(prev, addresses) }),
    ...(next && { next: pageAt(next, addresses) }),
    orderedItems: changes.map(({ id, kind }) => ({
      type: kind,
      object: { id: addresses.manifest(id), type: 'Manifest' },
      endTime: page.edition.publishedAt.toISOString(),
    })),
  };
}

const pageAt = ({ name }: ChangePage, addresses: Addresses) => ({
  id: addresses.changes(name),
  type: 'OrderedCollectionPage',
});

interface IiifDeps {
  readonly database: Database;
  readonly artworks: Pick<Artworks, 'complete' | 'picture' | 'edition' | 'page' | 'bounds'>;
  readonly pixels: Pick<Pixels, 'run'>;
  /** Folder of the pyramids and of the rendered regions. */
  readonly folder: string;
  readonly reserve: Reserve | undefined;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** False: IIIF is off. */
  readonly isOn: boolean;
}

const KNOWN_WORKS_MAX = 1000;
const TYPES: Record<ImageFormat, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

export function createIiif(parts: IiifDeps): Iiif {
  const { artworks, isOn, publicUrl } = parts;
  const requireOn = () => {
    if (!isOn) throw new AtelierError('not_found', 'IIIF is disabled on this server (IIIF=false).');
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
  /** A work whose record has an image address. */
  find(id: string): Promise<StoredRecord>;
  readonly addresses: ReturnType<typeof addressesUnder>;
}

/** Image requests, `info.json`, and the works they belong to. */
function createImages({ artworks, folder, reserve, pixels }: IiifDeps, { find, addresses }: Within) {
  const picture: Artworks['picture'] = (id, size) => artworks.picture(id, size).catch(saySo);
  const pyramids = createPyramids({ folder: join(folder, 'pyramids'), pixels, picture });
  const tiles = createTiles({ folder: join(folder, 'tiles'), reserve, pixels });
  /** Size from the stored pyramid, else from the museum's record, else from the image once fetched. */
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
        id: addresses.service(record.id, version),
        width,
        height,
        rights: rightsOf(record),
        manifest: addresses.manifest(record.id),
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

/** Collections of works, and change lists of editions. */
function createLists({ database, artworks }: IiifDeps, addresses: Within['addresses']) {
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
          `Page ${name.slice(0, 40)} does not exist. ${addresses.changes()} names the last page.`,
        );
      const { edition: of, offset } = page;
      const asked = { edition: of.edition, offset, limit: IIIF_PAGE_CHANGES };
      return changePage(page, await readImageChanges(database, asked), { pages: all, addresses });
    },
  } satisfies Pick<Iiif, 'collection' | 'changes'>;
}

/**
 * Finds a work whose record has an image address. Complete records are cached for the lifetime of their edition, so viewers cause one read
 * per work.
 * @throws AtelierError artwork_not_found, image_not_found, picture_unavailable
 */
function createWithPicture({ edition, complete }: IiifDeps['artworks']): Within['find'] {
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
      throw new AtelierError('picture_unavailable', `The image of ${id} is not available. ${problem}`, {
        retryAfterSeconds,
      });
    throw new AtelierError('image_not_found', `${id} has no image. ${problem ?? ''}`.trim());
  };
}

const addressesUnder = (publicUrl: string) => ({
  service: (id: string, version: ImageVersion) => `${publicUrl}/iiif/${version}/${encoded(id)}`,
  manifest: (id: string) => `${publicUrl}/iiif/manifest/${encoded(id)}`,
  collection: (museum?: string, part?: number) =>
    [publicUrl, 'iiif', 'collection', museum, part].filter((step) => step !== undefined).join('/'),
  changes: (page?: string) => `${publicUrl}/iiif/changes${page === undefined ? '' : `/${page}`}`,
});

/** Letters, digits and `-._~:()` need no escaping; identifiers contain nothing else. */
const encoded = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':');

/** Maps the error to 503, on which viewers retry. */
function saySo(error: unknown): never {
  if (!(error instanceof AtelierError) || error.code !== 'upstream_failed') throw error;
  const { retryAfterSeconds = 60 } = error.details;
  throw new AtelierError('picture_unavailable', error.message, { retryAfterSeconds, cause: error });
}

const worksOf = (museum: MuseumName) => ({ from: `${museum}_`, to: `${museum}_~`, hasImage: true });

/** Museums that have works with an image address. */
async function countWorks({ bounds }: Pick<Artworks, 'bounds'>, edition: number) {
  const counts = [];
  for (const museum of MUSEUM_NAMES) {
    const { count } = await bounds({ edition, ...worksOf(museum), limit: Number.MAX_SAFE_INTEGER });
    if (count > 0) counts.push({ museum, works: count });
  }
  return counts;
}

const nothingOf = (museum: string, museums: readonly { museum: string }[]) =>
  `The collection of ${museum.slice(0, 40)} does not exist. Museums with images: ${museums.map((one) => one.museum).join(', ') || 'none'}.`;

/** Memoises a function per edition: published editions are immutable. */
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
