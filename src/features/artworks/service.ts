import { createHash, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import { createSigner } from '../../core/keys/signer.ts';
import type { Links } from '../../core/links/links.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import type { Reserve } from '../../core/request_scope/request_scope.ts';
import type { Disk } from '../../core/storage/blobs/disk.ts';
import type { Store } from '../../core/storage/objects/types.ts';
import type { Pixels } from '../../core/workers/types.ts';
import type { Models } from '../models/types.ts';
import { readKnownWorks } from '../provenance/hashes/known_works.ts';
import type { Services } from '../services.ts';
import { createIiif } from './iiif/iiif.ts';
import { createMirrorFiles, type MirrorFiles } from './image_cache/mirror_files.ts';
import { createImageEmbeddings } from './image_embeddings/image_embeddings.ts';
import { createPictureCache } from './images/picture_cache.ts';
import { createPictures, keptPicture } from './images/pictures.ts';
import {
  ARTWORK_CACHE_BYTES_MAX,
  ARTWORK_LINK_LIFETIME_MS,
  ARTWORK_LINK_STEP_MS,
  EDITION_LIFETIME_MS_MIN,
  EDITION_ROWS_A_ROUND,
  EDITIONS_KEPT,
} from './limits.ts';
import { createMuseumClient, type Museums } from './on_demand/museum_client.ts';
import { countLive } from './on_demand/on_demand_store.ts';
import { createOnDemandWorks } from './on_demand/on_demand_works.ts';
import { canonical } from './records/canonical.ts';
import type { ArtworkRecord } from './records/record.ts';
import { readChanges, readExtent, readPage, readRecord, type StoredRecord } from './records/record_store.ts';
import { relatedWorks } from './records/related_works.ts';
import {
  type Edition,
  listEditions,
  pruneEditions,
  readEdition,
  readPrevious,
  readSources,
} from './releases/edition_store.ts';
import { createSnapshotFiles } from './releases/snapshot_files.ts';
import { countWithdrawn, readRights, readWithdrawals } from './releases/statistics_store.ts';
import { readTerms } from './releases/terms_store.ts';
import { parseQuery } from './search/parse_query.ts';
import { readFilters } from './search/read_filters.ts';
import { createVocabularies } from './search/vocabulary.ts';
import { wordIndexOf } from './search/word_index.ts';
import { blendedSearch } from './semantic_search/blended_search.ts';
import { openVectorSearch } from './semantic_search/open_vector_search.ts';
import { openTextEmbeddings } from './semantic_search/semantic_search.ts';
import type { TextEmbeddings } from './semantic_search/text_embeddings.ts';
import type { VectorSearchOf } from './semantic_search/types.ts';
import { currentEdition } from './starter/install_starter.ts';
import type { Artworks, Statistics } from './types.ts';
import { createFindSimilar } from './visual_similarity/find_similar.ts';
import { createVisualDescriptors, type VisualDescriptors } from './visual_similarity/visual_descriptors.ts';

const ID_CHARACTERS_MAX = 120;

const LINK_PATH = '/api/artworks/picture';
const BATCH_PATH = '/api/artworks/batch';
const EDITIONS_SHOWN = 2;
const WITHDRAWALS_SHOWN = 1000;

interface ArtworksDeps {
  readonly database: Database;
  /** Folder of the image cache. */
  readonly folder: string;
  /** Folder, disk and line format of the snapshot files. */
  readonly snapshots: {
    readonly folder: string;
    readonly disk: Pick<Disk, 'requireRoom'>;
    lineOf(work: StoredRecord): string;
  };
  readonly links: Links;
  /** Memory budget for the bytes of images being read. */
  readonly reserve: Reserve | undefined;
  /** Permanently stored images. */
  readonly mirror: Pick<MirrorFiles, 'read'>;
  /** Source of the images. */
  readonly museums: Museums;
  /** Whether works are completed at their museums on demand, and the API keys for it. */
  readonly completing: Pick<Parameters<typeof createOnDemandWorks>[0], 'isOn' | 'keys'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly looks: VisualDescriptors;
  /** The encoders for search by image embedding. */
  readonly models: Pick<Models, 'embedder'>;
  readonly vectorsOf: VectorSearchOf;
  /** Absent: full-text search only. */
  readonly meaning?: TextEmbeddings | undefined;
  /** Ed25519; signs manifests. */
  readonly key: KeyObject;
  /** DOIs by the numbers of the editions they are registered for. */
  readonly dois: ReadonlyMap<number, string>;
}

export function createArtworks({
  database,
  folder,
  snapshots,
  links,
  reserve,
  mirror,
  museums,
  completing,
  pixels,
  looks,
  models,
  vectorsOf,
  meaning,
  key,
  dois,
}: ArtworksDeps): Artworks {
  const signer = createSigner(key);
  const cache = createPictureCache(folder, ARTWORK_CACHE_BYTES_MAX, reserve);
  const kept = (record: ArtworkRecord) => keptPicture(cache, record);
  const sight = createImageEmbeddings({ database, pixels, models, vectorsOf, kept });
  const note: VisualDescriptors['note'] = (...picture) => {
    looks.note(...picture);
    sight.note(...picture);
  };
  const pictures = createPictures({ cache, mirror, museums, pixels, looks: { note } });
  const live = createOnDemandWorks({
    database,
    museums,
    ...completing,
    bring: (record) => pictures.picture(record, 'large'),
  });
  const { edition, starterOnly } = currentEdition(database);
  const vocabularies = createVocabularies(database);
  const files = createSnapshotFiles({ database, ...snapshots });
  const inEdition = async (id: string) => {
    const current = await edition();
    const stored =
      id.length <= ID_CHARACTERS_MAX ? await readRecord(database, current.number, id) : undefined;
    if (stored) return { stored, current };
    throw new AtelierError(
      'artwork_not_found',
      `This dataset has no work "${id.slice(0, ID_CHARACTERS_MAX)}". search_artworks returns ids as credit_id, such as met_45434.`,
    );
  };
  const complete: Artworks['complete'] = async (id) => {
    const { stored, current } = await inEdition(id);
    return { ...(await live.complete(current.number, stored)), edition: current };
  };
  const statisticsOf = createStatistics(database);
  const requireEdition = async (number: number | undefined, field = 'snapshot') => {
    const asked = number === undefined ? await edition() : await readEdition(database, number);
    if (asked) return asked;
    throw invalidField(field, `Snapshot ${number} does not exist, or is no longer stored.`);
  };
  const picture: Artworks['picture'] = async (id, size) => {
    const { record, live: asked } = await complete(id);
    if (!record.image && asked?.problem && asked.retryAfterSeconds !== undefined)
      throw new AtelierError('upstream_failed', `The image of ${id} is not available. ${asked.problem}`, {
        retryAfterSeconds: asked.retryAfterSeconds,
      });
    return pictures.picture(record, size);
  };
  const findAlike = createFindSimilar({
    database,
    looks,
    sight,
    meaning,
    kept,
    record: async (id) => (await inEdition(id)).stored.record,
    bring: async (id) => (await picture(id, 'large')).bytes,
  });
  return {
    edition,
    async find(id) {
      const { stored, current } = await inEdition(id);
      const [known] = await live.known(current.number, [stored]);
      return { ...known!, edition: current };
    },
    complete,
    async search(sent) {
      const asked = { ...sent, filters: sent.filters && readFilters(sent.filters) };
      const current = await edition();
      const found =
        sent.picture || sent.likeWork !== undefined || sent.colors?.length
          ? await findAlike(current.number, asked)
          : await blendedSearch(database, current.number, asked, { meaning, sight });
      const hits = await live.known(current.number, found.hits);
      return { ...found, hits, edition: current, starterOnly: await starterOnly() };
    },
    async spread({ query, museum, filters }) {
      const among = { museum, filters: filters && readFilters(filters) };
      const found = await wordIndexOf(database).lookUp((await edition()).number, parseQuery(query), among);
      return found.spread();
    },
    vocabulary: async (asked) => vocabularies((await edition()).number, asked),
    looksKnown: (by) => looks.size(by === 'subject' ? undefined : by),
    async page({ edition: number, ...asked }) {
      const of = await requireEdition(number);
      return { works: await readPage(database, of.number, asked), edition: of };
    },
    async bounds({ edition: number, ...asked }) {
      const of = await requireEdition(number);
      return { ...(await readExtent(database, of.number, asked)), edition: of };
    },
    async snapshotFile(number) {
      const newest = await edition();
      if (newest.number === number) return files.newest(newest);
      const older = await readEdition(database, number);
      const file = older && (await files.kept(older));
      if (file) return file;
      throw new AtelierError(
        'not_found',
        `The file of snapshot ${number} is not stored. The newest snapshot is ${newest.number}; its Croissant card names its file.`,
      );
    },
    async changes({ from, to, after, limit }) {
      const [earlier, later] = [await requireEdition(from, 'from'), await requireEdition(to, 'to')];
      if (earlier.number >= later.number)
        throw invalidField('from', `must be lower than ${later.number}, the other snapshot.`);
      const range = { from: earlier.number, to: later.number };
      const works = await readChanges(database, { ...range, after, limit });
      return { ...range, works, next: works.length === limit ? works.at(-1)!.id : null };
    },
    async statistics() {
      const newest = await edition();
      return { ...(await statisticsOf(newest, newest)), starterOnly: await starterOnly() };
    },
    async describe(number) {
      const newest = await edition();
      const isNewest = number === undefined || number === newest.number;
      const of = isNewest ? newest : await readEdition(database, number);
      if (!of)
        throw new AtelierError(
          'not_found',
          `Snapshot ${number} does not exist, or is no longer stored. The newest is ${newest.number}.`,
        );
      return {
        statistics: { ...(await statisticsOf(of, newest)), starterOnly: await starterOnly() },
        file: await (isNewest ? files.newest(of) : files.kept(of)),
        doi: dois.get(of.number),
        withdrawn: await countWithdrawn(database, of.number),
        previous: await readPrevious(database, of.number),
      };
    },
    signManifest: (manifest, { number, digest }) =>
      signer.sign('manifest+jwt', {
        iss: links.publicUrl,
        iat: Math.floor(Date.now() / 1000),
        snapshot: number,
        snapshot_sha256: digest,
        manifest_sha256: createHash('sha256').update(canonical(manifest)).digest('hex'),
      }),
    batchLink(page) {
      const expiresAt = new Date(Date.now() + ARTWORK_LINK_LIFETIME_MS);
      return { url: links.sign(BATCH_PATH, { ...page }, expiresAt), expiresAt };
    },
    verifyBatchLink: (page, exp, sig) => links.verify(BATCH_PATH, { ...page }, exp, sig),
    others: async (record, limit) => relatedWorks(database, (await edition()).number, record, limit),
    link(id, size) {
      // The address stays the same for an hour, so that browsers can cache the image.
      const earliest = Date.now() + ARTWORK_LINK_LIFETIME_MS;
      const expiresAt = new Date(Math.ceil(earliest / ARTWORK_LINK_STEP_MS) * ARTWORK_LINK_STEP_MS);
      return { url: links.sign(LINK_PATH, { id, size }, expiresAt), expiresAt };
    },
    verifyLink: (id, size, exp, sig) => links.verify(LINK_PATH, { id, size }, exp, sig),
    picture,
    async sweep(now) {
      const before = new Date(now.getTime() - EDITION_LIFETIME_MS_MIN);
      const pruned = { keep: EDITIONS_KEPT, before, rowsMax: EDITION_ROWS_A_ROUND };
      const gone = (await pruneEditions(database, pruned)) + (await cache.sweep());
      return gone + (await files.sweep(await edition(), now));
    },
    async settle() {
      await Promise.all([looks.settle(), sight.settle(), files.settle()]);
    },
    see: async (max) =>
      sight.catchUp((await edition()).number, { max, signal: new AbortController().signal }),
    async embed(max) {
      if (!meaning) return 0;
      const done = await meaning.embed((await edition()).number, {
        max,
        signal: new AbortController().signal,
      });
      await meaning.prepare();
      return done;
    },
  };
}

/** Computes the statistics of an edition on the first request. A withdrawal publishes an edition and changes those before. */
function createStatistics(
  database: Database,
): (edition: Edition, newest: Edition) => Promise<Omit<Statistics, 'starterOnly'>> {
  let counted = { newest: 0, rights: new Map<number, ReturnType<typeof readRights>>() };
  const rightsOf = (edition: number, newest: number) => {
    if (counted.newest !== newest) counted = { newest, rights: new Map() };
    const { rights } = counted;
    const known = rights.get(edition);
    if (known) return known;
    const counting = readRights(database, edition);
    rights.set(edition, counting);
    counting.catch(() => rights.delete(edition));
    return counting;
  };
  return async (edition, newest) => ({
    edition,
    editions: await listEditions(database, EDITIONS_SHOWN),
    imports: await readSources(database, edition.number),
    rights: await rightsOf(edition.number, newest.number),
    withdrawals: await readWithdrawals(database, WITHDRAWALS_SHOWN),
    terms: await readTerms(database),
    live: await countLive(database, edition.number),
  });
}

type Wanted = Parameters<typeof createArtworks>[0];
type Parts = Pick<Wanted, 'database' | 'links' | 'pixels' | 'models' | 'key'> &
  Pick<Wanted['snapshots'], 'disk' | 'lineOf'> & {
    readonly reach: Reach;
    readonly store: Store;
  };

/**
 * Creates the dataset service with visual descriptors and, if a model is configured, semantic search.
 * @throws Error naming a missing setting
 */
export async function openArtworks(config: Config, parts: Parts): Promise<Services['artworks']> {
  const { reach, disk, lineOf, store, ...rest } = parts;
  const looks = createVisualDescriptors({
    database: parts.database,
    pixels: parts.pixels,
    shipped: readKnownWorks(),
  });
  const vectorsOf = await openVectorSearch(config, parts.database);
  const meaning = await openTextEmbeddings(config, { ...parts, vectorsOf });
  const { SMITHSONIAN_API_KEY, PARIS_MUSEES_TOKEN } = config;
  return createArtworks({
    ...rest,
    dois: config.DATASET_DOIS,
    looks,
    vectorsOf,
    meaning,
    folder: join(config.DATA_DIR, 'artworks'),
    reserve: reach.reserve,
    mirror: createMirrorFiles({ ...parts, objects: store.objectsOf('mirror'), reserve: reach.reserve }),
    snapshots: { folder: join(config.DATA_DIR, 'snapshots'), disk, lineOf },
    museums: createMuseumClient({ reach, contact: config.OPERATOR_CONTACT, mirror: config.MUSEUM_MIRROR }),
    completing: { isOn: config.LIVE_WORKS, keys: { SMITHSONIAN_API_KEY, PARIS_MUSEES_TOKEN } },
  });
}

interface Shown extends Pick<Parts, 'database' | 'pixels' | 'reach'> {
  readonly artworks: Artworks;
  readonly publicUrl: string;
}

/** Images of the dataset by IIIF. */
export function openIiif({ DATA_DIR, IIIF }: Config, { reach, ...parts }: Shown): Services['iiif'] {
  return createIiif({ ...parts, folder: join(DATA_DIR, 'iiif'), reserve: reach.reserve, isOn: IIIF });
}
