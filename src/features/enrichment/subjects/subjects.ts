import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Half,
  measureGroups,
  type SeenAndLabelled,
  thresholdsOf,
} from '@atelier/imaging/vision/calibrate_terms.ts';
import { termMatcher } from '@atelier/imaging/vision/match_terms.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { GROUPS } from '@atelier/imaging/vision/subject_thresholds.ts';
import type { Term } from '@atelier/imaging/vision/vocabulary.ts';
import type { BaseLogger } from 'pino';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { makeFolder, refuseFullDisk, replaceFile } from '../../../core/storage/blobs/disk.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { openPixels } from '../../../core/workers/workers.ts';
import { openModels } from '../../models/service.ts';
import type { InstalledEmbedder, Models } from '../../models/types.ts';
import {
  type Calibration,
  type KeptVectors,
  type LabelledPicture,
  LabelsError,
  type NamingEmbedder,
  type NamingState,
  type Subjects,
  type Watch,
} from './types.ts';

/** Stored vectors and calibration of a network, under a key of network and vocabulary. */
interface KeptTerms {
  /** Undefined where none are stored or the file is damaged. */
  vectors(key: string): Promise<KeptVectors | undefined>;
  /**
   * Deletes the vectors of other networks.
   * @throws AtelierError storage_full
   */
  keepVectors(key: string, vectors: readonly Float32Array[]): Promise<void>;
  calibration(key: string): Promise<Calibration | undefined>;
  /** @throws AtelierError storage_full */
  keepCalibration(key: string, calibration: Calibration): Promise<void>;
}

const finds = z.object({ right: z.int().min(0), all: z.int().min(0), pictures: z.int().min(0) });
/** Human-readable JSON. A confidence below 0.9 was not written by this program and is rejected. */
const calibrationFile = z.object({
  network: z.string(),
  pictures: z.int().min(1),
  groups: z.array(
    z.object({
      group: z.enum(GROUPS),
      threshold: z
        .object({ share: z.number().min(0.01).max(2), confidence: z.number().min(0.9).max(1) })
        .optional(),
      chosenOn: finds,
      heldBack: finds,
      speaks: z.boolean(),
    }),
  ),
});
/** Written after the vectors, so its presence means that they are complete. */
const vectorsFile = z.object({ bytes: z.int().min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export function createKeptTerms(folder: string): KeptTerms {
  const pathOf = (key: string, ending: string) => join(folder, `${key}.${ending}`);
  /** The file verified last. It is read again only after a change. */
  let whole = '';
  const isWhole = async (path: string, { bytes, sha256 }: z.output<typeof vectorsFile>): Promise<boolean> => {
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== bytes) return false;
    const seen = `${path} ${found.mtimeMs} ${sha256}`;
    if (whole === seen) return true;
    if (
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex') !== sha256
    )
      return false;
    whole = seen;
    return true;
  };
  return {
    async vectors(key) {
      const record = await readJson(pathOf(key, 'vectors.json'), vectorsFile);
      const path = pathOf(key, 'vectors');
      if (!record || !(await isWhole(path, record))) return undefined;
      return { name: 'the vectors of terms', path, sha256: record.sha256 };
    },
    keepVectors: (key, vectors) =>
      refuseFullDisk(async () => {
        await makeFolder(folder);
        const bytes = Buffer.concat(
          vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
        );
        await replaceFile(pathOf(key, 'vectors'), bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        await replaceFile(pathOf(key, 'vectors.json'), textOf({ bytes: bytes.length, sha256 }));
        const isOther = (file: string) =>
          /^[0-9a-f]{64}\.vectors(\.json)?$/.test(file) && !file.startsWith(key);
        for (const file of (await readdir(folder)).filter(isOther))
          await rm(join(folder, file), { force: true });
      }),
    calibration: async (key) =>
      (await readJson(pathOf(key, 'calibration.json'), calibrationFile)) as Calibration | undefined,
    keepCalibration: (key, calibration) =>
      refuseFullDisk(async () => {
        await makeFolder(folder);
        await replaceFile(pathOf(key, 'calibration.json'), textOf(calibration));
      }),
  };
}

const textOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Undefined where the file is missing or has another schema. */
async function readJson<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
): Promise<z.output<Shape> | undefined> {
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Terms per request to the network process, so that other work can run in between. */
const TERMS_AT_ONCE = 64;
/** Fewer labelled images give no reliable threshold. */
const LABELLED_PICTURES_MIN = 60;
const LABELLED_PICTURES_MAX = 20_000;
const LABELS_BYTES_MAX = 8 * 1024 * 1024;
const LABELLED_PICTURE_BYTES_MAX = 64 * 1024 * 1024;

/** Computes the vectors of all terms with the text encoder, once per network. */
interface TermVectors {
  /**
   * Computes at most this many more vectors, and stores them once all are there.
   * @returns the number computed
   */
  make(network: InstalledEmbedder, max: number, signal: AbortSignal): Promise<number>;
  /** The stored vectors, computed first if necessary. */
  ready(network: InstalledEmbedder, watch: Watch): Promise<KeptVectors>;
}

function createTermVectors(pixels: Pick<Pixels, 'run'>, kept: KeptTerms): TermVectors {
  /** Progress of the current network; lost when the process ends. */
  let begun: { key: string; vectors: Float32Array[] } | undefined;
  const make: TermVectors['make'] = async (network, max, signal) => {
    const key = keyOf(network);
    if (begun?.key !== key) begun = { key, vectors: [] };
    const { vectors } = begun;
    const before = vectors.length;
    const last = Math.min(PROMPTS.length, before + max);
    while (vectors.length < last && !signal.aborted) {
      const texts = PROMPTS.slice(vectors.length, Math.min(last, vectors.length + TERMS_AT_ONCE));
      vectors.push(...(await pixels.run('embed_texts', { texts, network }, { pixels: 1, signal })));
    }
    if (vectors.length === PROMPTS.length) {
      begun = undefined;
      requireOneLength(network, vectors);
      await kept.keepVectors(key, vectors);
    }
    return vectors.length - before;
  };
  return {
    make,
    async ready(network, { signal, onProgress }) {
      for (let made = 0; ; ) {
        const there = await kept.vectors(keyOf(network));
        if (there) return there;
        made += await make(network, TERMS_AT_ONCE, signal);
        signal.throwIfAborted();
        onProgress(Math.min(1, made / PROMPTS.length), 'Making the vectors of terms');
      }
    },
  };
}

const PROMPTS = [...SUBJECT_TERMS.values()].map(({ prompt }) => prompt);
/** Hash of what vectors and thresholds depend on besides the network. */
const VOCABULARY_SHA256 = createHash('sha256')
  .update(
    JSON.stringify(
      [...SUBJECT_TERMS.values()].map(({ term, kind, broader, prompt }) => [term, kind, broader, prompt]),
    ),
  )
  .digest('hex');

/** Key of a network, its tokenizer and the vocabulary of terms. */
const keyOf = ({ sha256, tokenizer }: InstalledEmbedder): string =>
  createHash('sha256').update(`${sha256} ${tokenizer.sha256} ${VOCABULARY_SHA256}`).digest('hex');

/** Vectors of different lengths cannot be compared. */
function requireOneLength({ name }: InstalledEmbedder, vectors: readonly Float32Array[]): void {
  if (new Set(vectors.map(({ length }) => length)).size === 1) return;
  throw new AtelierError(
    'model_unavailable',
    `What ${name} answers on this server are no vectors of one space.`,
  );
}

interface SubjectsDeps {
  readonly models: Pick<Models, 'embedder'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly kept: KeptTerms;
  /** Logs each state of a network once. */
  note(state: NamingState): void;
}

export function createSubjects({ models, pixels, kept, note }: SubjectsDeps): Subjects {
  const vectors = createTermVectors(pixels, kept);
  const stopping = new AbortController();
  /** A network whose vectors failed is tried again by the next process only. */
  let failed = '';
  let noted = '';
  return {
    async naming() {
      const network = await models.embedder();
      const calibration = network && (await kept.calibration(keyOf(network)));
      if (!calibration || isSilent(calibration)) return undefined;
      const terms = await kept.vectors(keyOf(network));
      return terms && { ...network, terms, thresholds: thresholdsOf(calibration.groups) };
    },
    state: async () => stateOf(await models.embedder(), kept),
    async prepare(max) {
      const network = await models.embedder();
      if (!network || failed === keyOf(network)) return 0;
      const state = await stateOf(network, kept);
      const words = `${keyOf(network)} ${JSON.stringify(state)}`;
      if (noted !== words) note(state);
      noted = words;
      if (state.kind === 'absent' || state.hasVectors) return 0;
      try {
        return await vectors.make(network, max, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return 0;
        if (!isPassing(error)) failed = keyOf(network);
        throw error;
      }
    },
    async calibrate(pictures, watch) {
      const network = await models.embedder();
      if (!network) throw notInstalled();
      const terms = await vectors.ready(network, watch);
      const seen = await lookAtLabelled(pixels, { ...network, terms, thresholds: {} }, pictures, watch);
      const groups = measureGroups(seen, SUBJECT_TERMS);
      const calibration = { network: network.name, pictures: seen.length, groups };
      await kept.keepCalibration(keyOf(network), calibration);
      return calibration;
    },
    stop: () => stopping.abort(),
  };
}

async function stateOf(network: InstalledEmbedder | undefined, kept: KeptTerms): Promise<NamingState> {
  if (!network) return { kind: 'absent' };
  const key = keyOf(network);
  const [vectors, calibration] = await Promise.all([kept.vectors(key), kept.calibration(key)]);
  const known = { network: network.name, hasVectors: vectors !== undefined };
  if (!calibration) return { kind: 'uncalibrated', ...known };
  return { kind: isSilent(calibration) ? 'silent' : 'speaking', ...known, calibration };
}

const isSilent = ({ groups }: Calibration): boolean => Object.keys(thresholdsOf(groups)).length === 0;

/** Errors that a retry in a minute may resolve. */
const isPassing = (error: unknown): boolean =>
  error instanceof AtelierError && ['busy', 'timed_out', 'storage_full'].includes(error.code);

const notInstalled = () =>
  new AtelierError(
    'model_unavailable',
    'No pair of encoders with its vocabulary is installed here, so there is nothing to calibrate. "atelier models pull tinyclip" brings it; without a network: atelier models add <file> --accept, for the graph and for its tokenizer.json.',
  );

/**
 * Predictions of the encoder pair for each image.
 * @throws LabelsError naming an unreadable image; AtelierError model_unavailable
 */
async function lookAtLabelled(
  pixels: Pick<Pixels, 'run'>,
  network: NamingEmbedder,
  pictures: readonly LabelledPicture[],
  { signal, onProgress }: Watch,
): Promise<SeenAndLabelled[]> {
  const seen: SeenAndLabelled[] = [];
  for (const { file, terms, half, read } of pictures) {
    signal.throwIfAborted();
    onProgress(seen.length / pictures.length, 'Looking at labelled pictures');
    const bytes = await read();
    try {
      const { width, height } = pictureHeader(bytes);
      const shares = await pixels.run(
        'look_for_terms',
        { bytes, network },
        { pixels: width * height, signal },
      );
      seen.push({ shares: new Map(shares), terms, half });
    } catch (error) {
      if (!(error instanceof AtelierError) || error.code === 'model_unavailable' || signal.aborted)
        throw error;
      throw new LabelsError(`${file}: ${error.message}`, { cause: error });
    }
  }
  return seen;
}

const HOW =
  'A line is the name of a picture, a colon, and every term that is to be seen in it, with commas: "beach/3.jpg: dog, beach, sea".';

/**
 * Reads a list of labels, one image per line. Skips empty lines and lines that begin with #.
 * @param folder of the images
 * @throws LabelsError naming the line
 */
export async function readLabels(
  path: string,
  folder: string,
  vocabulary: ReadonlyMap<string, Term>,
): Promise<LabelledPicture[]> {
  const lines = (await readText(path)).split(/\r?\n/);
  const match = termMatcher(vocabulary);
  const pictures = new Map<string, LabelledPicture>();
  for (const [at, line] of lines.entries()) {
    if (!line.trim() || line.startsWith('#')) continue;
    const picture = pictureOf(line, at + 1, match);
    if (pictures.has(picture.file)) throw new LabelsError(`Line ${at + 1}: ${picture.file} is there twice.`);
    pictures.set(picture.file, { ...picture, read: () => readPicture(join(folder, picture.file)) });
  }
  if (pictures.size >= LABELLED_PICTURES_MIN && pictures.size <= LABELLED_PICTURES_MAX)
    return [...pictures.values()];
  throw new LabelsError(
    `${path} labels ${pictures.size} pictures; it takes ${LABELLED_PICTURES_MIN} to ${LABELLED_PICTURES_MAX} to tell how often a network is right. ${HOW}`,
  );
}

function pictureOf(line: string, number: number, match: ReturnType<typeof termMatcher>) {
  const [, file, labels] = /^([^:]+): *(\S.*)$/.exec(line) ?? [];
  if (!file || !labels) throw new LabelsError(`Line ${number} is no label. ${HOW}`);
  const terms = labels.split(',').flatMap((label) => {
    const term = match(label);
    if (term) return [term.term, ...term.broader];
    throw new LabelsError(
      `Line ${number}: "${label.trim()}" is none of the terms networks are asked for. Leave it out, or say it more plainly.`,
    );
  });
  return { file: file.trim(), terms: new Set(terms), half: halfOf(file.trim()) };
}

/** By the hash of the file name, so that images stay in their half when the list grows. */
export function halfOf(file: string): Half {
  const last = createHash('sha256').update(file).digest().at(-1)!;
  return last % 2 === 1 ? 'chosen on' : 'held back';
}

async function readText(path: string): Promise<string> {
  return (await readBounded(path, LABELS_BYTES_MAX)).toString('utf8');
}

const readPicture = (path: string): Promise<Uint8Array> => readBounded(path, LABELLED_PICTURE_BYTES_MAX);

/**
 * @throws LabelsError for a missing or too large file
 */
async function readBounded(path: string, bytesMax: number): Promise<Buffer> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new LabelsError(`There is no file ${path}.`);
  if (found.size > bytesMax)
    throw new LabelsError(`${path} has ${found.size} bytes; at most ${bytesMax} are read.`);
  return readFile(path);
}

/** Progress of the encoder pair, as a message for the operator. */
export function namingText(state: NamingState): string {
  if (state.kind === 'absent') return 'no pair of encoders is installed';
  const vectors = state.hasVectors
    ? ''
    : '; the vectors of its terms are made in the background of a running server';
  if (state.kind === 'uncalibrated')
    return `${state.network} names no subjects: its precision has not been measured (atelier models calibrate <labels> <pictures>)${vectors}`;
  const { pictures, groups } = state.calibration;
  if (state.kind === 'silent')
    return `${state.network} names no subjects: on ${pictures} labelled pictures it was not right nine times in ten about any group of terms`;
  const spoken = groups.flatMap(({ group, speaks }) => (speaks ? [GROUP_TEXTS[group]] : []));
  return `${state.network} names ${spoken.join(', ')}, as measured on ${pictures} labelled pictures${vectors}`;
}

const GROUP_TEXTS = {
  broad: 'the widest terms',
  narrow: 'animals and landscapes',
  thing: 'other things',
  scene: 'other scenes',
  genre: 'genres',
} as const;

interface Parts {
  readonly models: Pick<Models, 'embedder'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly logger: BaseLogger;
}

/** Subjects named by the encoder pair, for a server. */
export const openSubjects = (
  { DATA_DIR: folder }: Pick<Config, 'DATA_DIR'>,
  { models, pixels, logger }: Parts,
): Subjects =>
  createSubjects({
    models,
    pixels,
    kept: createKeptTerms(join(folder, 'models', 'terms')),
    note: (state) =>
      logger.info({ state: state.kind }, `subjects by words and pictures: ${namingText(state)}`),
  });

/** The same for the command line, with its own worker processes. */
export function openOwnSubjects(config: Config): OpenedSubjects {
  const pixels = openPixels(config);
  const note = () => {};
  const kept = createKeptTerms(join(config.DATA_DIR, 'models', 'terms'));
  const { calibrate, state } = createSubjects({ models: openModels(config), pixels, kept, note });
  return {
    calibrate,
    describe: async () => namingText(await state()),
    readLabels: (path, folder) => readLabels(path, folder, SUBJECT_TERMS),
    close: () => pixels.close(),
  };
}

export interface OpenedSubjects extends Pick<Subjects, 'calibrate'> {
  /** Progress of the encoder pair. */
  describe(): Promise<string>;
  /** @throws LabelsError naming the line */
  readLabels(path: string, folder: string): Promise<LabelledPicture[]>;
  close(): Promise<void>;
}
