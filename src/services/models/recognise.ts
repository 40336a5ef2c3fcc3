import { createHash } from 'node:crypto';
import { readOnnx } from '../../engines/onnx/read_weights.ts';
import {
  formOf,
  readWeights,
  type WeightsForm,
  weightsOf,
} from '../../engines/upscale/weights/read_weights.ts';
import { writeSafetensors } from '../../engines/upscale/weights/safetensors.ts';
import { type Tensors, WeightsError } from '../../engines/upscale/weights/tensors.ts';
import type { AddOptions, Origin } from './index.ts';
import { type CutOutEntry, MANIFEST, type ModelName, type UpscalerEntry } from './manifest.ts';

/** What a file turned out to be, and the bytes to keep of it. */
export interface Recognised {
  readonly name: ModelName;
  readonly form: WeightsForm;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly origin: Origin;
}

type Beside = (name: string) => Uint8Array | undefined;
const ENTRIES = Object.entries(MANIFEST) as [ModelName, UpscalerEntry | CutOutEntry][];

/**
 * Finds out which network a file holds and who vouches for it. Official files are kept as they are; the weights of an
 * upscaler in any other form are taken out and kept as safetensors, so that no foreign graph is ever run.
 * @throws WeightsError for other networks, damaged files, and files nobody vouches for without `accept`
 */
export function recognise(bytes: Uint8Array, { name, accept }: AddOptions, beside: Beside): Recognised {
  const sha256 = hashOf(bytes);
  const official = ENTRIES.find(([, entry]) => entry.official.sha256 === sha256)?.[0];
  if (official)
    return checked({ name: wanted(official, name), form: formOf(bytes), bytes, sha256, origin: 'official' });
  const found = asUpscaler(bytes, name, beside) ?? asCutOut(bytes, sha256, name);
  if (found.origin !== 'unofficial' || accept) return found;
  throw new WeightsError(
    `The file fits ${found.name}, but it is not the official one, and nobody vouches for it (sha256 ${found.sha256}). Take the official file: atelier models pull ${found.name}. To use this one all the same add --accept; every answer will then say that its weights are unofficial.`,
  );
}

function wanted(official: ModelName, name: ModelName | undefined): ModelName {
  if (name === undefined || name === official) return official;
  throw new WeightsError(`This is the official file of ${official}, not of ${name}.`);
}

/** The right sha256 cannot belong to wrong weights, but what we cannot read is of no use. */
function checked(found: Recognised): Recognised {
  const entry = MANIFEST[found.name];
  if (entry.use === 'upscale')
    weightsOf(entry.architecture, readWeights(found.bytes, found.form), found.form);
  return found;
}

function asUpscaler(bytes: Uint8Array, name: ModelName | undefined, beside: Beside): Recognised | undefined {
  if (name !== undefined && MANIFEST[name].use !== 'upscale') return undefined;
  const form = formOf(bytes);
  const tensors = readWeights(bytes, form, beside);
  const candidates = ENTRIES.filter(([own]) => name === undefined || own === name);
  for (const [own, entry] of candidates) {
    const weights = entry.use === 'upscale' ? fitting(entry, tensors, form, name !== undefined) : undefined;
    if (!weights || entry.use !== 'upscale') continue;
    const kept = writeSafetensors(weights);
    const sha256 = hashOf(kept);
    const origin = entry.numbers?.sha256 === sha256 ? entry.numbers.origin : 'unofficial';
    return { name: own, form: 'safetensors', bytes: kept, sha256, origin };
  }
  if (form === 'onnx') return undefined;
  throw new WeightsError(
    `The file holds no network of the manifest. ${reasonOf(() =>
      weightsOf(MANIFEST.realesrgan_x2plus.architecture, tensors, form),
    )
      .split('. ')
      .at(-1)}`,
  );
}

function fitting(
  { architecture }: UpscalerEntry,
  tensors: Tensors,
  form: WeightsForm,
  isNamed: boolean,
): Tensors | undefined {
  try {
    return weightsOf(architecture, tensors, form);
  } catch (error) {
    if (isNamed || !(error instanceof WeightsError)) throw error;
    return undefined;
  }
}

/** The graphs of cut-outs are run as they are; what can be told of one is the picture it takes. */
function asCutOut(bytes: Uint8Array, sha256: string, name: ModelName | undefined): Recognised {
  const { inputs, outputs } = readOnnx(bytes, () => new Uint8Array(0));
  const sides = inputs[0]?.sides.slice(1) ?? [];
  const fits = ENTRIES.filter(
    ([own, entry]) =>
      entry.use === 'cut_out' &&
      (name === undefined || own === name) &&
      sides.join() === [3, entry.sidePx, entry.sidePx].join() &&
      outputs.length > 0,
  ).map(([own]) => own);
  const [own] = fits;
  if (own === undefined)
    throw new WeightsError(
      `The graph takes pictures of ${sides.join(' × ') || 'unknown size'}, which ${name ? `does not suit ${name}` : 'suits no network of the manifest'}.`,
    );
  if (fits.length > 1)
    throw new WeightsError(`The file may be ${fits.join(' or ')}. Say which: --model ${own}.`);
  return { name: own, form: 'onnx', bytes, sha256, origin: 'unofficial' };
}

function reasonOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
