import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openSession } from '@atelier/imaging/onnx/open_session.ts';
import { partOfGraph } from '@atelier/imaging/onnx/part_of_graph.ts';
import type { Provider, Session } from '@atelier/imaging/onnx/session.ts';
import type { SegmenterName } from '@atelier/imaging/segmentation/segmenters.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import { type Network, openNetwork } from '@atelier/imaging/upscale/open_network.ts';
import { mixWeights } from '@atelier/imaging/upscale/weights/mix_weights.ts';
import {
  readWeights,
  selectTensors,
  type WeightsFormat,
} from '@atelier/imaging/upscale/weights/read_weights.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { OPEN_WEIGHTS_BYTES_MAX } from './limits.ts';

/** A stored file, as described by the model store. */
export interface StoredFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly provider: Provider;
  /** Version of a bundled model; absent for installed ones. */
  readonly version?: string;
}

/** Weights of an upscaling model. */
export interface ModelFile extends StoredFile {
  readonly form: WeightsFormat;
  readonly architecture: Architecture;
  readonly mix?: Mix;
}

/** Weight interpolation with another model of the same architecture. */
export interface Mix {
  /** Fraction of the model itself, 0 to 1; the rest is the other model's. */
  readonly share: number;
  readonly twin: Pick<StoredFile, 'name' | 'path' | 'bytes' | 'sha256'> & { readonly form: WeightsFormat };
}

/** Graph of a segmentation model. */
export interface CutOutFile extends StoredFile {
  readonly name: SegmenterName;
}

/** Open models of this process by the SHA-256 of their weights, least recently used first. */
const open = new Map<string, { bytes: number; network: Opening }>();

/** A resource that holds memory until it is closed. */
type Opening = Pick<Session, 'close'>;

/** Opens an upscaling model. @throws AtelierError as `openOnce` does */
export function openModel(model: ModelFile): Promise<Network> {
  const { architecture, form, mix, provider } = model;
  const numbersOf = (bytes: Uint8Array, from: WeightsFormat) =>
    selectTensors(architecture, readWeights(bytes, from), from);
  const part = mix ? `${mix.share} and ${mix.twin.sha256}` : '';
  const openBytes = (bytes: Uint8Array) => {
    const own = numbersOf(bytes, form);
    if (!mix) return openNetwork(architecture, own, provider);
    const twin = numbersOf(bytesOf(mix.twin), mix.twin.form);
    return openNetwork(architecture, mixWeights(own, twin, mix.share), provider);
  };
  return openOnce(model, () => openOnProvider(model, openBytes), part);
}

/** Opens a model whose graph is run unchanged. @throws AtelierError as `openOnce` does */
export const openGraph = (model: StoredFile): Promise<Session> =>
  openOnce(model, () => openOnProvider(model, sessionOf(model)));

const sessionOf =
  ({ provider }: StoredFile) =>
  (bytes: Uint8Array) =>
    openSession(bytes, provider);

/**
 * Opens the graphs of one multi-part model, which run in turn: opening one does not close another.
 * @throws AtelierError as `openOnce` does
 */
export async function openTogether(models: readonly [StoredFile, ...StoredFile[]]): Promise<Session[]> {
  const group = {
    provider: models[0].provider,
    bytes: models.reduce((sum, { bytes }) => sum + bytes, 0),
    sha256: models.map(({ sha256 }) => sha256).join(' '),
  };
  const { sessions } = await openOnce(group, async () => {
    const sessions: Session[] = [];
    const close = async () => {
      for (const session of sessions) await session.close();
    };
    try {
      for (const model of models) sessions.push(await openOnProvider(model, sessionOf(model)));
    } catch (error) {
      await close();
      throw error;
    }
    return { sessions, close };
  });
  return sessions;
}

/**
 * Opens the part of a model that computes one of its outputs. @throws AtelierError as `openOnce` does; WeightsError if there is no such
 * output
 */
export const openPart = (model: StoredFile, output: string): Promise<Session> =>
  openOnce(
    model,
    () => openOnProvider(model, (bytes) => openSession(partOfGraph(bytes, [output]), model.provider)),
    output,
  );

/**
 * Opens a model once and shares it with all later jobs of this process; the least recently used models are closed if the total weights
 * exceed the limit.
 * @throws AtelierError model_unavailable if the file differs from the installed one, or the execution provider is missing
 */
async function openOnce<Opened extends Opening>(
  model: Pick<StoredFile, 'provider' | 'sha256' | 'bytes'>,
  openFile: () => Promise<Opened>,
  part = '',
): Promise<Opened> {
  const key = `${model.provider} ${model.sha256} ${part}`;
  const known = open.get(key);
  open.delete(key);
  await closeBeyond(OPEN_WEIGHTS_BYTES_MAX - model.bytes);
  const network = (known?.network as Opened | undefined) ?? (await openFile());
  open.set(key, { bytes: model.bytes, network });
  return network;
}

async function closeBeyond(bytesMax: number): Promise<void> {
  for (const [key, { network }] of open) {
    const held = [...open.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    if (held <= bytesMax) return;
    open.delete(key);
    await network.close();
  }
}

async function openOnProvider<Opened>(
  model: StoredFile,
  openBytes: (bytes: Uint8Array) => Promise<Opened>,
): Promise<Opened> {
  const bytes = bytesOf(model);
  try {
    return await openBytes(bytes);
  } catch (error) {
    if (model.provider === 'cpu') throw error;
    throw new AtelierError(
      'model_unavailable',
      `EXECUTION_PROVIDER is "${model.provider}", which is not available on this server. The operator has to set it to cpu or install the libraries that the provider needs.`,
      { cause: error },
    );
  }
}

/**
 * Reads a file, which may have been damaged or replaced since it was installed.
 * @throws AtelierError model_unavailable
 */
export function bytesOf({
  name,
  path,
  sha256,
  version,
}: Pick<StoredFile, 'name' | 'path' | 'sha256' | 'version'>): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readFileSync(path);
  } catch {
    // A missing file is treated like a changed one.
  }
  if (bytes && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new AtelierError(
    'model_unavailable',
    `The installed weights of ${name} are missing or damaged. The operator has to ${version ? 'restore the file, which is bundled with Atelier' : `install them again: atelier models pull ${name}`}.`,
  );
}
