import { createHash } from 'node:crypto';
import { CLIP_OUTPUTS } from '@atelier/engines/clip/outputs.ts';
import { readTokenizer } from '@atelier/engines/clip/tokenizer.ts';
import { readOnnx } from '@atelier/engines/onnx/read_weights.ts';
import { type Tensors, WeightsError } from '@atelier/engines/onnx/tensors.ts';
import { checkArchitecture } from '@atelier/engines/upscale/architecture.ts';
import {
  formOf,
  readWeights,
  type WeightsForm,
  weightsOf,
} from '@atelier/engines/upscale/weights/read_weights.ts';
import { writeSafetensors } from '@atelier/engines/upscale/weights/safetensors.ts';
import type { FileForm, Origin } from './contract.ts';
import type { Manifest, ModelEntry, ModelName, UpscalerEntry } from './manifest.ts';

/** A file that is to be installed. */
export interface Candidate {
  readonly bytes: Uint8Array;
  readonly manifest: Manifest;
  /** The network somebody says it is. */
  readonly name?: ModelName | undefined;
  /** Whether a file nobody vouches for is taken. */
  readonly accept: boolean;
  /** A file an ONNX graph keeps its weights in. */
  beside(name: string): Uint8Array | undefined;
}

/** What a file turned out to be, and the bytes to keep of it. */
export interface Recognised {
  readonly name: ModelName;
  readonly form: FileForm;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly origin: Origin;
}

/**
 * Finds out which network a file holds and who vouches for it. Official files are kept as they are; the weights of an
 * upscaler in any other form are taken out and kept as safetensors, so that no foreign graph is ever run.
 * @throws WeightsError for other networks, damaged files, and files nobody vouches for without `accept`
 */
export function recognise(candidate: Candidate): Recognised {
  const found =
    asOfficial(candidate) ??
    asTokenizer(candidate) ??
    asUpscaler(candidate) ??
    asEmbedder(candidate) ??
    asCutOut(candidate);
  if (found.origin !== 'unofficial' || candidate.accept) return found;
  throw new WeightsError(
    `The file fits ${found.name}, but it is not the official one, and nobody vouches for it (sha256 ${found.sha256}). Take the official file: atelier models pull ${found.name}. To use this one all the same add --accept; every answer will then say that its weights are unofficial.`,
  );
}

type Entry = readonly [ModelName, ModelEntry];
const entriesOf = ({ manifest }: Candidate) => Object.entries(manifest) as unknown as Entry[];

/** The right sha256 cannot belong to wrong weights, but what we cannot read is of no use. */
function asOfficial(candidate: Candidate): Recognised | undefined {
  const { bytes, name } = candidate;
  const sha256 = hashOf(bytes);
  const [own, entry] = entriesOf(candidate).find(([, { official }]) => official.sha256 === sha256) ?? [];
  if (!own || !entry) return undefined;
  if (name !== undefined && name !== own)
    throw new WeightsError(`This is the official file of ${own}, not of ${name}.`);
  if (entry.use === 'tokenize') readTokenizer(bytes);
  const form = entry.use === 'tokenize' ? 'json' : formOf(bytes);
  if (entry.use === 'upscale' && form !== 'json')
    weightsOf(entry.architecture, readWeights(bytes, form), form);
  return { name: own, form, bytes, sha256, origin: 'official' };
}

const isJson = (bytes: Uint8Array): boolean => formOf(bytes) === 'onnx' && bytes[0] === 0x7b;

/** A vocabulary is the only file of ours that is JSON. */
function asTokenizer({ bytes, name, manifest }: Candidate): Recognised | undefined {
  const isNamed = name !== undefined && manifest[name].use === 'tokenize';
  if (!isNamed && (name !== undefined || !isJson(bytes))) return undefined;
  readTokenizer(bytes);
  return { name: 'tinyclip_tokenizer', form: 'json', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
}

/** The graph of a pair of encoders is run as it is; it tells itself by the two vectors it gives. */
function asEmbedder({ bytes, name, manifest, beside }: Candidate): Recognised | undefined {
  if (name !== undefined && manifest[name].use !== 'embed') return undefined;
  const outputs = readOnnx(bytes, beside).outputs.map((output) => output.name);
  const missing = Object.values(CLIP_OUTPUTS).find((output) => !outputs.includes(output));
  if (missing === undefined)
    return { name: 'tinyclip', form: 'onnx', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
  if (name === undefined) return undefined;
  throw new WeightsError(`The graph gives no "${missing}", as a graph with both encoders of a CLIP does.`);
}

function asUpscaler(candidate: Candidate): Recognised | undefined {
  const { bytes, name, manifest } = candidate;
  if (name !== undefined && manifest[name].use !== 'upscale') return undefined;
  const form = formOf(bytes);
  const tensors = readWeights(bytes, form, candidate.beside);
  for (const [own, entry] of entriesOf(candidate)) {
    if (entry.use !== 'upscale' || (name !== undefined && name !== own)) continue;
    const weights = tryWeights(entry, tensors, form, name !== undefined);
    if (!weights) continue;
    const kept = writeSafetensors(weights);
    const sha256 = hashOf(kept);
    const origin = entry.numbers?.sha256 === sha256 ? entry.numbers.origin : 'unofficial';
    return { name: own, form: 'safetensors', bytes: kept, sha256, origin };
  }
  if (form === 'onnx') return undefined;
  throw new WeightsError(`The file holds no network of the manifest. ${likeness(candidate, tensors)}`);
}

/** @param isNamed then the reason why it does not fit is the answer */
function tryWeights(
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

/** What the file looks like: the last sentence of why it is not the first network of the manifest. */
function likeness(candidate: Candidate, tensors: Tensors): string {
  const upscaler = entriesOf(candidate).find(([, { use }]) => use === 'upscale')?.[1] as UpscalerEntry;
  try {
    checkArchitecture(tensors, upscaler.architecture);
    return '';
  } catch (error) {
    return (error as Error).message.split('. ').at(-1)!;
  }
}

/** The graphs of cut-outs are run as they are; what can be told of one is the picture it takes. */
function asCutOut(candidate: Candidate): Recognised {
  const { bytes, name } = candidate;
  const { inputs, outputs } = readOnnx(bytes, candidate.beside);
  const sides = inputs[0]?.sides.slice(1) ?? [];
  const fits = entriesOf(candidate).filter(
    ([own, entry]) =>
      entry.use === 'cut_out' &&
      (name === undefined || own === name) &&
      sides.join() === [3, entry.sidePx, entry.sidePx].join() &&
      outputs.length > 0,
  );
  const [own] = fits.map(([fit]) => fit);
  if (own === undefined)
    throw new WeightsError(
      `The graph takes pictures of ${sides.join(' × ') || 'unknown size'}, which ${name ? `does not suit ${name}` : 'suits no network of the manifest'}.`,
    );
  if (fits.length > 1)
    throw new WeightsError(
      `The file may be ${fits.map(([fit]) => fit).join(' or ')}. Say which: --model ${own}.`,
    );
  return { name: own, form: 'onnx', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
