import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import { fetchPublished } from '../../core/outbound_http/fetch_by_proxy.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from '../../core/outbound_http/reach.ts';
import { createDisk } from '../../core/storage/blobs/disk.ts';
import { openStore } from '../../core/storage/objects/objects.ts';
import type { Pixels } from '../../core/workers/types.ts';
import { openPixels } from '../../core/workers/workers.ts';
import { openModels } from '../models/service.ts';
import { openData } from '../operator/storage/open_data.ts';
import { createHashes } from '../provenance/hashes/hashes.ts';
import { createDataset, type ImportRequest } from './dataset.ts';
import { type Fetching, fetchFile, fetchMuseum } from './harvest/fetch_museum.ts';
import { fetchTerms } from './harvest/fetch_terms.ts';
import { type Found, importFetched } from './harvest/import_fetched.ts';
import { mirrorUrl } from './harvest/mirror_url.ts';
import { createMirrorFiles } from './image_cache/mirror_files.ts';
import { type MirrorRequest, mirrorPictures } from './image_cache/mirror_pictures.ts';
import { createImageEmbeddings } from './image_embeddings/image_embeddings.ts';
import type { ImageEmbeddings } from './image_embeddings/types.ts';
import { createPictureCache } from './images/picture_cache.ts';
import { createPictures, keptPicture } from './images/pictures.ts';
import { ARTWORK_CACHE_BYTES_MAX } from './limits.ts';
import { MUSEUMS, type MuseumName } from './museums/museums.ts';
import { createMuseumClient } from './on_demand/museum_client.ts';
import type { ArtworkRecord } from './records/record.ts';
import { openVectorSearch } from './semantic_search/open_vector_search.ts';
import { openTextEmbeddings } from './semantic_search/semantic_search.ts';
import { currentEdition } from './starter/install_starter.ts';
import { FROM_FILE } from './visual_similarity/descriptor_store.ts';
import { processFolder } from './visual_similarity/process_folder.ts';
import { registerWork } from './visual_similarity/register_work.ts';
import { createVisualDescriptors } from './visual_similarity/visual_descriptors.ts';

type Wanted = Omit<Fetching, 'folder' | 'fetch' | 'requireRoom'>;

interface InFolder {
  readonly signal: AbortSignal;
  onProgress(done: number, all: number): void;
}

/**
 * Opens the dataset and the museum files in the configured data folder, for commands of the operator. Works
 * beside a running server.
 */
export async function openDataset(config: Config) {
  const database = await openData(config, { mayJoin: true });
  const folder = join(config.DATA_DIR, 'museums');
  const disk = createDisk({ folder: config.DATA_DIR, freeBytesMin: config.DISK_FREE_MIN_BYTES });
  const outward = fetchPublished();
  const atMuseums: typeof fetch = (url, init) => outward(mirrorUrl(config.MUSEUM_MIRROR, String(url)), init);
  const kept = { folder, requireRoom: disk.requireRoom };
  const dataset = createDataset(database);
  const edition = async () => (await currentEdition(database).edition()).number;
  return {
    ...dataset,
    ...commandsOnPictures(config, database, edition),
    /**
     * Embeds the texts of works. Undefined without an embedding model.
     * @throws Error naming a missing setting; AtelierError if the model does not respond
     */
    async embed(wanted: { signal: AbortSignal; onProgress(done: number): void }) {
      const vectorsOf = await openVectorSearch(config, database);
      return (await openTextEmbeddings(config, { database, vectorsOf }))?.embed(await edition(), wanted);
    },
    /**
     * Downloads a museum's page of terms; returns its sha256.
     * @throws SourceProblem if it cannot be downloaded
     */
    async fetchTerms(museum: MuseumName, signal: AbortSignal) {
      const url = MUSEUMS[museum].policy;
      const sha256 = await fetchTerms({ url, folder: join(folder, 'terms'), fetch: atMuseums, signal });
      await dataset.noteTerms({ museum, url, sha256 });
      return { url, sha256 };
    },
    /**
     * Imports a file. A download that cannot be read is downloaded again, once.
     * @throws as `import`
     */
    importFetched: (find: () => Promise<Found>, request: Omit<ImportRequest, 'path' | 'source'>) =>
      importFetched(find, ({ path, source }) => dataset.import({ ...request, path, source })),
    fetchMuseum: (museum: MuseumName, wanted: Wanted) =>
      fetchMuseum(museum, { ...wanted, ...kept, fetch: atMuseums }),
    fetchFile: (url: string, wanted: Wanted) => fetchFile(url, { ...wanted, ...kept, fetch: outward }),
  };
}

/** Commands on images of works. Each starts pixel processes and stops them. */
function commandsOnPictures(config: Config, database: Database, edition: () => Promise<number>) {
  const withPixels = async <T>(work: (pixels: Pixels) => Promise<T>): Promise<T> => {
    const pixels = openPixels(config);
    try {
      return await work(pixels);
    } finally {
      await pixels.close();
    }
  };
  return {
    /**
     * Embeds the stored images. Undefined if no encoder pair is installed.
     * @throws AtelierError model_unavailable, busy
     */
    see: (wanted: { signal: AbortSignal; onProgress(done: number): void }) =>
      withPixels(async (pixels) => {
        const sight = await openSight(config, database, pixels);
        const max = Number.POSITIVE_INFINITY;
        return (await sight.network()) && sight.catchUp(await edition(), { max, ...wanted });
      }),
    /**
     * Computes visual descriptors of images in a local folder, so that their works are found by colour and
     * similarity, and embeddings if an encoder pair is installed.
     */
    measure: (pictures: string, wanted: InFolder) =>
      withPixels(async (pixels) => {
        const looks = createVisualDescriptors({ database, pixels, shipped: [] });
        const sight = await openSight(config, database, pixels);
        const isSeen = await sight.network();
        const take = async (work: ArtworkRecord, bytes: Uint8Array) => {
          await looks.keep(work.id, FROM_FILE, bytes, wanted.signal);
          if (isSeen) await sight.keep(work.id, FROM_FILE, bytes, wanted.signal);
        };
        return processFolder(pictures, { database, edition: await edition(), take, ...wanted });
      }),
    /** Registers images in a local folder, so that crops of them are recognised as their works. */
    register: (pictures: string, wanted: InFolder) =>
      withPixels(async (pixels) => {
        const hashes = createHashes(database);
        const take = (work: ArtworkRecord, bytes: Uint8Array) =>
          registerWork(work, bytes, { pixels, hashes, signal: wanted.signal });
        return processFolder(pictures, { database, edition: await edition(), take, ...wanted });
      }),
    /**
     * Downloads images of works permanently.
     * @throws AtelierError busy while another run is active; storage_full
     */
    mirror: (wanted: MirrorRequest) =>
      withPixels(async (pixels) => {
        const objects = (await openStore(config, database)).objectsOf('mirror');
        const files = createMirrorFiles({ database, objects });
        const bring = bringFromMuseums(config, pixels);
        return mirrorPictures({ database, files, bring, edition: await edition() }, wanted);
      }),
  };
}

/**
 * Downloads from the museums with the rate limits and network checks of a running server, without a cache.
 */
function bringFromMuseums(config: Config, pixels: Pixels) {
  const reach = config.ALLOW_PRIVATE_FETCH ? ANY_NETWORK : PUBLIC_INTERNET;
  const museums = createMuseumClient({
    reach,
    contact: config.OPERATOR_CONTACT,
    mirror: config.MUSEUM_MIRROR,
  });
  const nowhere = { get: async () => undefined, put: async () => {}, sweep: async () => 0 };
  const nothing = { read: async () => undefined };
  const pictures = createPictures({ cache: nowhere, mirror: nothing, museums, pixels, looks: { note() {} } });
  return pictures.picture;
}

async function openSight(config: Config, database: Database, pixels: Pixels): Promise<ImageEmbeddings> {
  const cache = createPictureCache(join(config.DATA_DIR, 'artworks'), ARTWORK_CACHE_BYTES_MAX);
  const kept = (record: ArtworkRecord) => keptPicture(cache, record);
  const vectorsOf = await openVectorSearch(config, database);
  return createImageEmbeddings({ database, pixels, models: openModels(config), vectorsOf, kept });
}

export type OpenedDataset = Awaited<ReturnType<typeof openDataset>>;
