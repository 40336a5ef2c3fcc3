import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { toOnnx } from '@atelier/imaging/onnx/convert/to_onnx.ts';
import { type Port, readOnnx } from '@atelier/imaging/onnx/read_weights.ts';
import { type Tensors, WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { checkArchitecture } from '@atelier/imaging/upscale/architecture.ts';
import { readNcnn } from '@atelier/imaging/upscale/weights/read_ncnn.ts';
import {
  formOf,
  readWeights,
  type WeightsForm,
  weightsOf,
} from '@atelier/imaging/upscale/weights/read_weights.ts';
import { writeSafetensors } from '@atelier/imaging/upscale/weights/safetensors.ts';
import { readCaptionTokenizer } from '@atelier/imaging/vision/caption/tokenizer.ts';
import { CLIP_OUTPUTS } from '@atelier/imaging/vision/clip/outputs.ts';
import { readTokenizer } from '@atelier/imaging/vision/clip/tokenizer.ts';
import {
  filesOf,
  type GraphShape,
  type Manifest,
  type ModelEntry,
  type ModelName,
  packagedOf,
  sourceTextsOf,
  type UpscalerEntry,
} from './manifest.ts';
import type { FileForm, Origin } from './types.ts';

/** The sha256 of a file, in hex. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file that is to be installed. */
export interface Candidate {
  readonly bytes: Uint8Array;
  readonly manifest: Manifest;
  /** The network it is said to be. */
  readonly name?: ModelName | undefined;
  /** Whether an unofficial file is taken. */
  readonly accept: boolean;
  /** A file the network keeps its weights in, by its name. */
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
 * Finds out which network a file holds and who vouches for it. Official files are kept as they are, or as the graph we make of
 * them; the weights of an upscaler in any other form are taken out and kept as safetensors, so that no foreign graph of one is ever run.
 * @throws WeightsError for other networks, damaged files, and unofficial files without `accept`
 */
export function recognise(candidate: Candidate): Recognised {
  const found = asOfficial(candidate) ?? asPackaged(candidate) ?? asAnother(candidate);
  if (found.origin !== 'unofficial' || candidate.accept) return found;
  const better = candidate.manifest[found.name].official
    ? ` Take the official file: atelier models pull ${found.name}.`
    : '';
  throw new WeightsError(
    `The file fits ${found.name}, but it is unofficial: its sha256 is none of the manifest (${found.sha256}).${better} To use this one all the same add --accept; every answer will then say that its weights are unofficial.`,
  );
}

/** A file of an unknown sha256. */
function asAnother(candidate: Candidate): Recognised {
  const { bytes, beside } = candidate;
  const graph = { ...candidate, bytes: toOnnx(bytes, beside) ?? bytes };
  return (
    asConverted(graph) ??
    asCaptioner(graph) ??
    asTokenizer(graph) ??
    asUpscaler(graph) ??
    asEmbedder(graph) ??
    asGraph(graph)
  );
}

type Entry = readonly [ModelName, ModelEntry];
const entriesOf = ({ manifest }: Candidate) => Object.entries(manifest) as unknown as Entry[];

/** The right sha256 cannot belong to wrong weights, but what we cannot read is of no use. */
function asOfficial(candidate: Candidate): Recognised | undefined {
  const { bytes, name } = candidate;
  const sha256 = hashOf(bytes);
  const [own, entry] = entriesOf(candidate).find(([, { official }]) => official?.sha256 === sha256) ?? [];
  if (!own || !entry) return undefined;
  if (name !== undefined && name !== own)
    throw new WeightsError(`This is the official file of ${own}, not of ${name}.`);
  if (entry.use === 'upscale' && entry.converted) return weightsFromNcnn(own, entry, bytes, 'official');
  if (entry.use !== 'upscale' && 'converted' in entry && entry.official) {
    const parts = filesOf(entry.official).map(({ url, ...file }) => ({
      ...file,
      name: basename(url),
      from: url,
    }));
    return conversionOf(own, { parts, origin: 'official' }, candidate);
  }
  if (entry.use === 'tokenize') readTokenizer(bytes);
  const form = entry.use === 'tokenize' ? 'json' : formOf(bytes);
  if (entry.use === 'upscale' && form !== 'json')
    weightsOf(entry.architecture, readWeights(bytes, form), form);
  return { name: own, form, bytes, sha256, origin: 'official' };
}

/** A file out of a package of the manifest. */
function asPackaged(candidate: Candidate): Recognised | undefined {
  const { bytes, name } = candidate;
  const sha256 = hashOf(bytes);
  const [own, entry] =
    entriesOf(candidate).find(([, other]) => packagedOf(other)?.files[0].sha256 === sha256) ?? [];
  if (!own || !entry) return undefined;
  const { origin, files } = packagedOf(entry)!;
  if (name !== undefined && name !== own) throw new WeightsError(`This is a file of ${own}, not of ${name}.`);
  if (entry.use === 'upscale') return weightsFromNcnn(own, entry, bytes, origin);
  if ('converted' in entry && entry.converted) {
    const from = sourceTextsOf(entry).at(-1)!;
    return conversionOf(own, { parts: files.map((file) => ({ ...file, from })), origin }, candidate);
  }
  const form = files[0].name.endsWith('.txt') ? 'txt' : formOf(bytes);
  return { name: own, form, bytes, sha256, origin };
}

/** ncnn keeps no names; those of the network are written with its numbers. */
function weightsFromNcnn(
  name: ModelName,
  { architecture }: UpscalerEntry,
  bytes: Uint8Array,
  origin: Origin,
): Recognised {
  const tensors = readNcnn(bytes, architecture);
  checkArchitecture(tensors, architecture);
  const kept = writeSafetensors(tensors);
  return { name, form: 'safetensors', bytes: kept, sha256: hashOf(kept), origin };
}

/** Files a network is published in, the one that identifies it first. */
interface PublishedParts {
  readonly parts: readonly { readonly name: string; readonly sha256: string; readonly from: string }[];
  readonly origin: Origin;
}

/** The graph made of published files, every one of which is what was published. */
function conversionOf(
  name: ModelName,
  { parts, origin }: PublishedParts,
  { bytes, beside }: Candidate,
): Recognised {
  const given = new Map<string, Uint8Array>();
  for (const { name: file, sha256, from } of parts.slice(1)) {
    const there = beside(file);
    if (!there || hashOf(there) !== sha256)
      throw new WeightsError(
        `${name} is in several files, and ${file} ${there ? 'beside it is not the published one' : 'is not beside it'}. Take it from ${from}`,
      );
    given.set(file, there);
  }
  const graph = toOnnx(bytes, (file) => given.get(file))!;
  return { name, form: 'onnx', bytes: graph, sha256: hashOf(graph), origin };
}

/** What was made of official files here or elsewhere: the same files give the same bytes. */
function asConverted(candidate: Candidate): Recognised | undefined {
  const { bytes, name } = candidate;
  const sha256 = hashOf(bytes);
  const [own] =
    entriesOf(candidate).find(([, entry]) => 'converted' in entry && entry.converted?.sha256 === sha256) ??
    [];
  if (!own || (name !== undefined && name !== own)) return undefined;
  return { name: own, form: formOf(bytes), bytes, sha256, origin: 'official' };
}

const isJson = (bytes: Uint8Array): boolean => formOf(bytes) === 'onnx' && bytes[0] === 0x7b;

/** The graphs of Florence-2 tell themselves by the names of their ports, its vocabulary by the marks for places. */
function asCaptioner(candidate: Candidate): Recognised | undefined {
  const { bytes, name, manifest, beside } = candidate;
  if (name !== undefined && manifest[name].use !== 'caption') return undefined;
  const installed = (own: ModelName, form: FileForm): Recognised => ({
    name: own,
    form,
    bytes,
    sha256: hashOf(bytes),
    origin: 'unofficial',
  });
  if (isJson(bytes)) {
    if (name === undefined && !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('<loc_0>'))
      return undefined;
    readCaptionTokenizer(bytes);
    return installed('florence_tokenizer', 'json');
  }
  if (name === undefined && formOf(bytes) !== 'onnx') return undefined;
  const { inputs, outputs } = readOnnx(bytes, beside);
  const has = (ports: readonly Port[], wanted: string) => ports.some((port) => port.name === wanted);
  const [own] =
    entriesOf(candidate).find(
      ([, entry]) =>
        entry.use === 'caption' &&
        entry.ports &&
        has(inputs, entry.ports.input) &&
        has(outputs, entry.ports.output),
    ) ?? [];
  if (own !== undefined && (name === undefined || name === own)) return installed(own, 'onnx');
  if (name === undefined) return undefined;
  throw new WeightsError(`The graph does not have the inputs and outputs of ${name}.`);
}

/** A vocabulary is the only other file of ours that is JSON. */
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
  const fits = entriesOf(candidate).flatMap(([own, entry]): Recognised[] => {
    if (entry.use !== 'upscale' || (name !== undefined && name !== own)) return [];
    const weights = tryWeights(entry, tensors, form, name !== undefined);
    if (!weights) return [];
    const kept = writeSafetensors(weights);
    const sha256 = hashOf(kept);
    const isSame = entry.converted?.sha256 === sha256;
    const known = isSame ? 'equivalent' : entry.numbers?.find((numbers) => numbers.sha256 === sha256)?.origin;
    return [{ name: own, form: 'safetensors', bytes: kept, sha256, origin: known ?? 'unofficial' }];
  });
  const found = fits.find(({ origin }) => origin !== 'unofficial') ?? fits[0];
  if (found && (found.origin !== 'unofficial' || fits.length === 1)) return found;
  if (found) throw manyFit(fits);
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

/** Graphs that are run as they are: what can be told of one is the picture it takes and what it gives. */
function asGraph(candidate: Candidate): Recognised {
  const { bytes, name } = candidate;
  const { inputs, outputs } = readOnnx(bytes, candidate.beside);
  const [[input], [output]] = [inputs, outputs];
  const fits = entriesOf(candidate).filter(([own, entry]) => {
    const shape = shapeOf(entry);
    return shape && input && output && (name === undefined || own === name) && isLike(shape, input, output);
  });
  const [own] = fits.map(([fit]) => fit);
  if (own === undefined) {
    const [takes, gives] = [input, output].map(sidesText);
    throw new WeightsError(
      `The graph takes pictures of ${takes || 'unknown size'}${gives ? ` and gives ${gives} numbers` : ''}, which ${name ? `does not suit ${name}` : 'suits no network of the manifest'}.`,
    );
  }
  if (fits.length > 1) throw manyFit(fits.map(([fit]) => ({ name: fit })));
  return { name: own, form: 'onnx', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
}

const manyFit = (fits: readonly { readonly name: ModelName }[]): WeightsError =>
  new WeightsError(
    `The file may be ${fits.map(({ name }) => name).join(' or ')}. Say which: --model ${fits[0]!.name}.`,
  );

/** No sides: anything, as those of cut-outs say nothing or too much of what they give. */
function shapeOf(entry: ModelEntry): GraphShape | undefined {
  if (entry.use === 'cut_out') return { input: [3, entry.sidePx, entry.sidePx], output: [] };
  return 'shape' in entry ? entry.shape : undefined;
}

function isLike({ input, output }: GraphShape, takes: Port, gives: Port): boolean {
  const fits = (wanted: readonly number[], [, ...sides]: Port['sides']) =>
    sides.length === wanted.length &&
    // A free side is written as a word, or as minus one.
    wanted.every((side, at) => (side === 0 ? !isFixed(sides[at]!) : sides[at] === side));
  return fits(input, takes.sides) && (output.length === 0 || fits(output, gives.sides));
}

const isFixed = (side: number | string): boolean => Number.isSafeInteger(side);
const sidesText = (port: Port | undefined): string => port?.sides.slice(1).join(' × ') ?? '';
