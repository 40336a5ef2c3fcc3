import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/contract.ts';
import { createHashes } from '../services/hashes/hashes.ts';
import { openModels } from '../services/models/open.ts';
import { openData } from '../services/storage/open.ts';
import type { Pixels } from '../workers/contract.ts';
import { openPixels } from '../workers/open.ts';
import { createDataset } from './dataset.ts';
import { currentEdition } from './editions/current_edition.ts';
import { type Fetching, fetchFile, fetchMuseum } from './fetching/fetch_museum.ts';
import { fetchTerms } from './fetching/fetch_terms.ts';
import { ARTWORK_CACHE_BYTES_MAX } from './limits.ts';
import { FROM_FILE } from './looks/look_store.ts';
import { createLooks } from './looks/looks.ts';
import { registerWork } from './looks/register_work.ts';
import { takeFolder } from './looks/take_folder.ts';
import { openMeaning } from './meaning/open.ts';
import { MUSEUMS, type MuseumName } from './museums/museums.ts';
import { createPictureCache } from './pictures/picture_cache.ts';
import { keptPicture } from './pictures/pictures.ts';
import type { ArtworkRecord } from './records/record.ts';
import type { Sight } from './sight/contract.ts';
import { createSight } from './sight/sight.ts';

type Wanted = Omit<Fetching, 'folder' | 'fetch'>;

interface InFolder {
  readonly signal: AbortSignal;
  onProgress(done: number, all: number): void;
}

/** The dataset and the files of museums in the data folder the settings name, for whoever looks after them; also while a server runs. */
export async function openDataset(config: Config) {
  const database = await openData(config, { mayJoin: true });
  const folder = join(config.DATA_DIR, 'museums');
  const dataset = createDataset(database);
  const edition = async () => (await currentEdition(database).edition()).number;
  const withPixels = async <T>(work: (pixels: Pixels) => Promise<T>): Promise<T> => {
    const pixels = openPixels(config);
    try {
      return await work(pixels);
    } finally {
      await pixels.close();
    }
  };
  return {
    ...dataset,
    /** Encodes the pictures that are kept here. Undefined where no pair of encoders is installed. @throws AtelierError model_unavailable, busy */
    see: (wanted: { signal: AbortSignal; onProgress(done: number): void }) =>
      withPixels(async (pixels) => {
        const sight = openSight(config, database, pixels);
        const max = Number.POSITIVE_INFINITY;
        return (await sight.network()) && sight.catchUp(await edition(), { max, ...wanted });
      }),
    /** Undefined where no embedding model is set up. @throws Error naming a missing setting; AtelierError where it does not answer */
    async embed(wanted: { signal: AbortSignal; onProgress(done: number): void }) {
      return (await openMeaning(config, database))?.embed(await edition(), wanted);
    },
    /**
     * Measures what pictures of works in a folder of this machine look like, so that these are found by colour and likeness, and encodes what they
     * show where a pair of encoders is installed.
     */
    measure: (pictures: string, wanted: InFolder) =>
      withPixels(async (pixels) => {
        const looks = createLooks({ database, pixels, shipped: [] });
        const sight = openSight(config, database, pixels);
        const isSeen = await sight.network();
        const take = async (work: ArtworkRecord, bytes: Uint8Array) => {
          await looks.keep(work.id, FROM_FILE, bytes, wanted.signal);
          if (isSeen) await sight.keep(work.id, FROM_FILE, bytes, wanted.signal);
        };
        return takeFolder(pictures, { database, edition: await edition(), take, ...wanted });
      }),
    /** Registers them, so that crops of them are recognised as their works. */
    register: (pictures: string, wanted: InFolder) =>
      withPixels(async (pixels) => {
        const hashes = createHashes(database);
        const take = (work: ArtworkRecord, bytes: Uint8Array) =>
          registerWork(work, bytes, { pixels, hashes, signal: wanted.signal });
        return takeFolder(pictures, { database, edition: await edition(), take, ...wanted });
      }),
    /** Reads the page on which a museum states its terms; answers its sha256. @throws SourceProblem where it cannot be had */
    async fetchTerms(museum: MuseumName, signal: AbortSignal) {
      const url = MUSEUMS[museum].policy;
      const sha256 = await fetchTerms({ url, folder: join(folder, 'terms'), fetch, signal });
      await dataset.noteTerms({ museum, url, sha256 });
      return { url, sha256 };
    },
    fetchMuseum: (museum: MuseumName, wanted: Wanted) => fetchMuseum(museum, { ...wanted, folder, fetch }),
    fetchFile: (url: string, wanted: Wanted) => fetchFile(url, { ...wanted, folder, fetch }),
  };
}

function openSight(config: Config, database: Database, pixels: Pixels): Sight {
  const cache = createPictureCache(join(config.DATA_DIR, 'artworks'), ARTWORK_CACHE_BYTES_MAX);
  const kept = (record: ArtworkRecord) => keptPicture(cache, record);
  return createSight({ database, pixels, models: openModels(config), kept });
}

export type OpenedDataset = Awaited<ReturnType<typeof openDataset>>;
