import { readFileSync, statSync } from 'node:fs';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Provider } from '@atelier/imaging/onnx/open_session.ts';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { holdLock } from '../../core/database/process_lock.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { followOutward, LeadsInward } from '../../core/outbound_http/follow_outward.ts';
import { makeFolder, refuseFullDisk, replaceFile } from '../../core/storage/blobs/disk.ts';
import { bundledPair, bundledUpscalers } from './bundled.ts';
import {
  bytesOf,
  type CutOutName,
  filesOf,
  groupOf,
  MANIFEST,
  type Manifest,
  type ModelEntry,
  type ModelName,
  type OfficialFile,
  type PublishedFile,
  type UpscalerEntry,
  type UpscalerName,
} from './manifest.ts';
import { type Candidate, hashOf, type Recognised } from './recognise.ts';
import {
  createSpeeds,
  MODEL_DOWNLOAD_STALL_BYTES,
  MODEL_DOWNLOAD_STALL_MS,
  MODEL_FILE_BYTES_MAX,
} from './speeds.ts';
import type {
  Eyes,
  InstalledCutOut,
  InstalledEmbedder,
  InstalledGraph,
  InstalledModel,
  InstalledUpscaler,
  ModelState,
  Models,
  Origin,
  UpscalerChoice,
  Watch,
} from './types.ts';

interface Download {
  readonly url: string;
  /** What has arrived so far is kept here, and a later try goes on from it. */
  readonly part: string;
  readonly expected: Pick<PublishedFile, 'bytes' | 'sha256'>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Absent: MODEL_DOWNLOAD_STALL_MS. */
  readonly stallMs?: number;
  onProgress(bytesDone: number, bytesInAll: number): void;
}

/**
 * Downloads a file and checks it, going on after what `part` holds where the server can (RFC 9110, 14). Two that write one part would
 * spoil it: the caller makes sure that there is one.
 * @throws WeightsError where it cannot be had, or is not what was published
 */
export async function download(wanted: Download): Promise<Uint8Array> {
  const { part, expected, url } = wanted;
  const before = (await stat(part).catch(() => undefined))?.size ?? 0;
  // More than the whole cannot be a beginning of it.
  if (before > expected.bytes) await rm(part);
  const start = before > expected.bytes ? 0 : before;
  if (start < expected.bytes) await fetchRest(wanted, start);
  const bytes = await readFile(part);
  if (bytes.length === expected.bytes && hashOf(bytes) === expected.sha256) return bytes;
  await rm(part);
  throw new WeightsError(
    `What ${url} answered is not the published file: its sha256 is another one. Nothing was installed. Try again, or take the file from elsewhere and add it: atelier models add <file>.`,
  );
}

async function fetchRest(wanted: Download, start: number): Promise<void> {
  const { url, part, expected, signal, onProgress, stallMs = MODEL_DOWNLOAD_STALL_MS } = wanted;
  const stall = new AbortController();
  const stop = AbortSignal.any([signal, stall.signal]);
  const watch = setTimeout(() => stall.abort(), stallMs);
  try {
    const response = await wanted.fetch(url, {
      ...(start > 0 && { headers: { Range: `bytes=${start}-` } }),
      signal: stop,
    });
    const goesOn =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${start}-`);
    if (!response.ok || !response.body) throw new WeightsError(refusal(url, `answered ${response.status}`));
    const other = otherFile(response, goesOn ? expected.bytes - start : expected.bytes);
    if (other) throw new WeightsError(refusal(url, other));
    const file = await open(part, goesOn ? 'a' : 'w', 0o600);
    try {
      let done = goesOn ? start : 0;
      let watched = done;
      for await (const piece of response.body) {
        done += piece.length;
        if (done - watched >= MODEL_DOWNLOAD_STALL_BYTES) {
          watch.refresh();
          watched = done;
        }
        if (done > expected.bytes)
          throw new WeightsError(refusal(url, 'sends more than the published file has'));
        await file.writeFile(piece);
        onProgress(done, expected.bytes);
      }
      if (done < expected.bytes) throw new WeightsError(brokenOffText(done, expected.bytes));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asWeightsError(error, { url, isGivenUp: signal.aborted });
  } finally {
    clearTimeout(watch);
    // A body that was refused is not waited for: its connection would keep the process.
    stall.abort();
  }
}

/** What an answer says about itself that the published file cannot be, before a byte of it is kept. */
function otherFile({ headers }: Response, bytes: number): string | undefined {
  if (/^text\/html/i.test(headers.get('content-type') ?? ''))
    return 'answered with a web page, not with the file';
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  if (length !== null && Number(length) !== bytes)
    return `offers ${length} bytes, and the published file has ${bytes} from there`;
  return undefined;
}

function asWeightsError(error: unknown, { url, isGivenUp }: { url: string; isGivenUp: boolean }): unknown {
  const isOurs = error instanceof WeightsError || (error as NodeJS.ErrnoException).code === 'ENOSPC';
  if (isOurs || isGivenUp) return error;
  if (error instanceof LeadsInward)
    return new WeightsError(refusal(url, `is not followed: ${error.message}`));
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message : message;
  return new WeightsError(refusal(url, `cannot be reached or stopped sending (${reason})`), { cause: error });
}

const refusal = (url: string, what: string): string =>
  `${url} ${what}. What has arrived is kept, and the same command goes on from there. A mirror can be set with MODEL_MIRROR; a file from elsewhere is added with: atelier models add <file>.`;

const brokenOffText = (done: number, all: number): string =>
  `The connection ended after ${Math.floor(done / 1e6)} of ${Math.floor(all / 1e6)} MB. The same command goes on from there.`;

interface Downloads extends Watch {
  /** Where what has arrived is kept. */
  readonly folder: string;
  readonly mirror?: string | undefined;
  readonly fetch: typeof fetch;
}

/**
 * All files of a network by their names, the one it begins with first. Each is checked as it arrives and kept (`partOf`) until all are used,
 * so that a later try asks for none twice.
 * @throws WeightsError where one cannot be had, or is not what was published
 */
async function downloadAll(
  official: OfficialFile,
  { folder, mirror, fetch, signal, onProgress }: Downloads,
): Promise<Map<string, Uint8Array>> {
  const arrived = new Map<string, Uint8Array>();
  let before = 0;
  for (const expected of filesOf(official)) {
    const name = basename(expected.url);
    const bytes = await download({
      url: mirror ? `${mirror.replace(/\/+$/, '')}/${name}` : expected.url,
      part: partOf(folder, name),
      onProgress: (done) => onProgress(before + done, bytesOf(official)),
      expected,
      fetch,
      signal,
    });
    arrived.set(name, bytes);
    before += expected.bytes;
  }
  return arrived;
}

/** Where a file is kept while it arrives. */
const partOf = (folder: string, file: string): string => join(folder, `${file}.part`);

interface ModelSettings {
  /** Where weights are kept. */
  readonly folder: string;
  /** Base address with the files under their official names; absent: where their makers published them. */
  readonly mirror?: string | undefined;
  /** Where networks run. */
  readonly provider: Provider;
  readonly fetch: typeof fetch;
  /** THE manifest, but for tests, which have no official file. */
  readonly manifest?: Manifest;
}

const NAMES = Object.keys(MANIFEST) as ModelName[];
/**
 * Networks for cut-outs, the finest first as their makers measured them; but BiRefNet comes last, because nobody has run it
 * here yet and it may need more memory than a process gets.
 */
const CUT_OUTS = [
  'isnet_general',
  'u2netp',
  'birefnet_general_lite',
] as const satisfies readonly CutOutName[];
/** Taught on clean pictures alone, by how much they enlarge. */
const FAITHFUL = { 2: 'span_x2', 4: 'span_x4' } as const satisfies Record<number, UpscalerName>;
const FORMS = ['pth', 'safetensors', 'onnx', 'json'] as const;
const ORIGINS = ['official', 'equivalent', 'rounded', 'unofficial'] as const satisfies readonly Origin[];

/** Beside the weights: what they are, told once when they were installed. Its arrival is the installation. */
const record = z.object({
  file: z.string().regex(/^[\w.-]+$/),
  form: z.enum(FORMS),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  origin: z.enum(ORIGINS),
});

/** Weights as files in a folder, which the server and the command line may use at once. */
export function createModels(settings: ModelSettings): Models {
  const { folder, manifest = MANIFEST } = settings;
  const keep = (found: Recognised) => refuseFullDisk(() => install(folder, found));
  const pull: Models['pull'] = async (name, watch) => {
    await makeFolder(folder);
    const { official, ...entry } = manifest[name];
    if (!official)
      throw new WeightsError(
        `No file of ${name} is published that could be fetched and checked. One from this machine: atelier models add <file> --accept.`,
      );
    if ('tokenizer' in entry && !(await findInstalled(folder, entry.tokenizer)))
      await pull(entry.tokenizer, watch);
    const release = holdPull(folder, name);
    try {
      const arrived = await refuseFullDisk(() => downloadAll(official, { ...settings, ...watch }));
      const [bytes] = arrived.values();
      const beside = (file: string) => arrived.get(file);
      const installed = await keep(await recognise({ bytes: bytes!, manifest, name, accept: false, beside }));
      for (const file of arrived.keys()) await rm(partOf(folder, file), { force: true });
      return installed;
    } finally {
      release();
    }
  };
  const upscaler: Models['upscaler'] = async (name) => {
    const installed = await findUpscaler(settings, name);
    if (!installed) throw await missingModelError(folder, name, manifest);
    return installed;
  };
  return {
    speeds: createSpeeds(join(folder, 'speeds.json')),
    list: () => Promise.all(NAMES.map((name) => stateOf(folder, name, manifest[name]))),
    upscaler,
    denoising: (strength) => mixWithTwin(upscaler, strength),
    async choose(name) {
      const network = await findUpscaler(settings, name);
      return network ? { kind: 'installed', network } : inPlaceOf(name, settings);
    },
    faithful: (scale) => findUpscaler(settings, FAITHFUL[scale]),
    async upscalersAtHand() {
      const names = NAMES.filter((name): name is UpscalerName => manifest[name].use === 'upscale');
      const installed = await Promise.all(names.map((name) => findUpscaler(settings, name)));
      return [
        ...installed.filter((network) => network !== undefined),
        ...bundledUpscalers(settings.provider),
      ];
    },
    cutOut: () => findCutOut(settings),
    eyes: () => findEyes(settings),
    embedder: () => findEmbedder(settings),
    pull,
    async add(path, options) {
      const bytes = await weightsFile(path);
      await makeFolder(folder);
      return keep(await recognise({ bytes, manifest, ...options, beside: filesBeside(path) }));
    },
  };
}

async function mixWithTwin(upscaler: Models['upscaler'], share: number): Promise<InstalledUpscaler> {
  const network = await upscaler('realesr_general_x4v3');
  return { ...network, mix: { share, twin: await upscaler('realesr_general_wdn_x4v3') } };
}

/** One process at a time fetches a network. @throws WeightsError where another one does */
const holdPull = (folder: string, name: ModelName): (() => void) =>
  holdLock(
    join(folder, `${name}.lock`),
    ({ pid }) => new WeightsError(`Process ${pid} is fetching ${name} already. Wait until it has ended.`),
  );

async function stateOf(folder: string, name: ModelName, entry: ModelEntry): Promise<ModelState> {
  const installed = await findInstalled(folder, name);
  const { official } = entry;
  const group = groupOf(entry);
  return {
    name,
    entry,
    ...(official && { official, bytes: bytesOf(official) }),
    ...(group && { group }),
    ...(installed && { installed }),
  };
}

async function findEmbedder({ folder, provider }: ModelSettings): Promise<InstalledEmbedder | undefined> {
  const [pair, tokenizer] = await Promise.all([
    findInstalled(folder, 'tinyclip'),
    findInstalled(folder, 'tinyclip_tokenizer'),
  ]);
  return pair && tokenizer && { ...pair, tokenizer, provider };
}

async function findGraph(
  { folder, provider }: ModelSettings,
  name: ModelName,
): Promise<InstalledGraph | undefined> {
  const installed = await findInstalled(folder, name);
  return installed && { ...installed, provider };
}

/** Which network is which eye. */
const EYES = {
  faces: 'yunet',
  writing: 'text_detection',
  rating: 'content_rating',
  people: 'person_mask',
  tagger: 'tagger',
} as const;

async function findEyes(settings: ModelSettings): Promise<Eyes> {
  const [embedder, ...graphs] = await Promise.all([
    findEmbedder(settings),
    ...Object.entries(EYES).map(async ([eye, name]) => [eye, await findGraph(settings, name)] as const),
  ]);
  const open = graphs.filter(([, graph]) => graph);
  return { ...Object.fromEntries(open), ...(embedder && { embedder }) };
}

async function findUpscaler(
  { folder, provider, manifest = MANIFEST }: ModelSettings,
  name: UpscalerName,
): Promise<InstalledUpscaler | undefined> {
  const installed = await findInstalled(folder, name);
  const { architecture } = manifest[name] as UpscalerEntry;
  if (!installed || installed.form === 'json') return undefined;
  return { ...installed, form: installed.form, architecture, provider };
}

async function findCutOut({ folder, provider }: ModelSettings): Promise<InstalledCutOut | undefined> {
  for (const name of CUT_OUTS) {
    const installed = await findInstalled(folder, name);
    if (installed) return { ...installed, name, provider };
  }
  return undefined;
}

/** The bundled networks of the same scale, with the reason a caller is told. */
function inPlaceOf(name: UpscalerName, { provider, manifest = MANIFEST }: ModelSettings): UpscalerChoice {
  const { architecture, official } = manifest[name] as UpscalerEntry;
  return {
    kind: 'bundled',
    networks: bundledPair(architecture.scale, provider),
    reason: `${name} is not installed on this server; in its place runs a small network of this project's own, truer than resampling but with less detail than ${name}. The operator installs that with "atelier models pull ${name}" (${Math.round(bytesOf(official) / 1e6)} MB).`,
  };
}

async function findInstalled(folder: string, name: ModelName): Promise<InstalledModel | undefined> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => undefined);
  const { data } = record.safeParse(text === undefined ? undefined : parseJson(text));
  if (!data) return undefined;
  const { file, ...facts } = data;
  return { name, path: join(folder, file), ...facts };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The weights first, then the record that names them, then away with what was there before. */
async function install(folder: string, found: Recognised): Promise<InstalledModel> {
  const { name, form, bytes, sha256, origin } = found;
  const file = `${name}-${sha256.slice(0, 12)}.${form}`;
  await replaceFile(join(folder, file), bytes);
  const facts = { form, bytes: bytes.length, sha256, origin };
  await replaceFile(
    join(folder, `${name}.json`),
    Buffer.from(`${JSON.stringify({ file, ...facts }, null, 2)}\n`),
  );
  const isOlder = (other: string) =>
    other !== file && FORMS.some((suffix) => new RegExp(`^${name}-[0-9a-f]{12}\\.${suffix}$`).test(other));
  for (const other of (await readdir(folder)).filter(isOlder)) await rm(join(folder, other));
  return { name, path: join(folder, file), ...facts };
}

/** @throws WeightsError for what is no file or far too large */
async function weightsFile(path: string): Promise<Uint8Array> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new WeightsError(`There is no file ${path}.`);
  if (found.size > MODEL_FILE_BYTES_MAX)
    throw new WeightsError(
      `${path} has more than ${MODEL_FILE_BYTES_MAX / 1e6} MB, more than any file of the manifest.`,
    );
  return readFile(path);
}

/**
 * Weights a network keeps outside its first file. They must lie in the same folder, whatever that file says; each file is read once,
 * whatever names lead to it. @returns throws WeightsError
 */
function filesBeside(path: string): (name: string) => Uint8Array | undefined {
  const folder = dirname(resolve(path));
  const read = new Map<string, Uint8Array | undefined>();
  let bytes = 0;
  return (name) => {
    const beside = resolve(folder, name);
    if (name.includes('\0') || !beside.startsWith(folder + sep))
      throw new WeightsError('The file names weights outside its own folder.');
    if (read.has(beside)) return read.get(beside);
    const found = statSync(beside, { throwIfNoEntry: false });
    bytes += found?.isFile() ? found.size : 0;
    if (bytes > MODEL_FILE_BYTES_MAX)
      throw new WeightsError(
        `The files it names have more than ${MODEL_FILE_BYTES_MAX / 1e6} MB together, more than any network of the manifest.`,
      );
    const content = found?.isFile() ? readFileSync(beside) : undefined;
    read.set(beside, content);
    return content;
  };
}

async function missingModelError(
  folder: string,
  name: UpscalerName,
  manifest: Manifest,
): Promise<AtelierError> {
  const { official } = manifest[name] as UpscalerEntry;
  const there = await Promise.all(
    NAMES.filter((other) => manifest[other].use === manifest[name].use).map((other) =>
      findInstalled(folder, other),
    ),
  );
  const names = there.flatMap((model) => model?.name ?? []);
  const choice = names.length > 0 ? `Installed are: ${names.join(', ')}.` : 'No other one is installed.';
  return new AtelierError(
    'model_unavailable',
    `The weights of ${name} are not installed on this server. ${choice} The operator installs it with "atelier models pull ${name}" (${Math.round(bytesOf(official) / 1e6)} MB from ${official.url}) or, without a network, "atelier models add <file>".`,
    { members: { model: name, installed_models: names } },
  );
}

/** Readers of all forms of weights are loaded with the first file: a server without one does not keep them in memory. */
const recognise = async (candidate: Candidate): Promise<Recognised> =>
  (await import('./recognise.ts')).recognise(candidate);

/** The networks on the disk; the command line looks after them without the rest of the service. */
export function openModels(config: Pick<Config, 'DATA_DIR' | 'MODEL_MIRROR' | 'EXECUTION_PROVIDER'>): Models {
  return createModels({
    folder: join(config.DATA_DIR, 'models'),
    mirror: config.MODEL_MIRROR,
    provider: config.EXECUTION_PROVIDER,
    fetch: followOutward(fetch),
  });
}
