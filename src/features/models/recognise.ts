import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { toOnnx } from '@atelier/imaging/onnx/convert/to_onnx.ts';
import { type Port, readOnnx } from '@atelier/imaging/onnx/read_weights.ts';
import { type Tensors, WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { checkArchitecture } from '@atelier/imaging/upscale/architecture.ts';
import { readNcnn } from '@atelier/imaging/upscale/weights/read_ncnn.ts';
import {
  detectFormat,
  readWeights,
  selectTensors,
  type WeightsFormat,
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

/** A file to install. */
export interface Candidate {
  readonly bytes: Uint8Array;
  readonly manifest: Manifest;
  /** Model named by the operator. */
  readonly name?: ModelName | undefined;
  /** Whether unofficial files are accepted. */
  readonly accept: boolean;
  /** An external weights file of the model, by its name. */
  beside(name: string): Uint8Array | undefined;
}

/** The identified model of a file, and the bytes to store. */
export interface Recognised {
  readonly name: ModelName;
  readonly form: FileForm;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly origin: Origin;
}

/**
 * Identifies the model in a file and its provenance. Official files are stored unchanged or converted to a graph; upscaler weights in
 * other formats are extracted to safetensors, so that no untrusted upscaler graph is run.
 * @throws WeightsError for unknown models, damaged files, and unofficial files without `accept`
 */
export function recognise(candidate: Candidate): Recognised {
  const found = asOfficial(candidate) ?? asPackaged(candidate) ?? asAnother(candidate);
  if (found.origin !== 'unofficial' || candidate.accept) return found;
  const better = candidate.manifest[found.name].official
    ? ` To install the official file: atelier models pull ${found.name}.`
    : '';
  throw new WeightsError(
    `The file matches ${found.name}, but is unofficial: its sha256 (${found.sha256}) is not in the manifest.${better} To use it anyway, add --accept; every response then states that its weights are unofficial.`,
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

/** A file with an official sha256. It must still be readable. */
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
  const form = entry.use === 'tokenize' ? 'json' : detectFormat(bytes);
  if (entry.use === 'upscale' && form !== 'json')
    selectTensors(entry.architecture, readWeights(bytes, form), form);
  return { name: own, form, bytes, sha256, origin: 'official' };
}

/** A file from a package of the manifest. */
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
  const form = files[0].name.endsWith('.txt') ? 'txt' : detectFormat(bytes);
  return { name: own, form, bytes, sha256, origin };
}

/** ncnn files have no tensor names; those of the architecture are added. */
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

/** Files of a published model, the identifying one first. */
interface PublishedParts {
  readonly parts: readonly { readonly name: string; readonly sha256: string; readonly from: string }[];
  readonly origin: Origin;
}

/** Converts published files to a graph after verifying each of them. */
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
        `${name} has several files, and ${file} ${there ? 'in the same folder is not the published one' : 'is not in the same folder'}. Download it from ${from}`,
      );
    given.set(file, there);
  }
  const graph = toOnnx(bytes, (file) => given.get(file))!;
  return { name, form: 'onnx', bytes: graph, sha256: hashOf(graph), origin };
}

/** A conversion of official files made by any server: conversion is deterministic. */
function asConverted(candidate: Candidate): Recognised | undefined {
  const { bytes, name } = candidate;
  const sha256 = hashOf(bytes);
  const [own] =
    entriesOf(candidate).find(([, entry]) => 'converted' in entry && entry.converted?.sha256 === sha256) ??
    [];
  if (!own || (name !== undefined && name !== own)) return undefined;
  return { name: own, form: detectFormat(bytes), bytes, sha256, origin: 'official' };
}

const isJson = (bytes: Uint8Array): boolean => detectFormat(bytes) === 'onnx' && bytes[0] === 0x7b;

/** Identifies the graphs of Florence-2 by their input and output names, and its vocabulary by the location tokens. */
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
  if (name === undefined && detectFormat(bytes) !== 'onnx') return undefined;
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

/** Identifies a CLIP vocabulary, the only other JSON file. */
function asTokenizer({ bytes, name, manifest }: Candidate): Recognised | undefined {
  const isNamed = name !== undefined && manifest[name].use === 'tokenize';
  if (!isNamed && (name !== undefined || !isJson(bytes))) return undefined;
  readTokenizer(bytes);
  return { name: 'tinyclip_tokenizer', form: 'json', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
}

/** Identifies a pair of encoders by its two output vectors. Its graph is run unchanged. */
function asEmbedder({ bytes, name, manifest, beside }: Candidate): Recognised | undefined {
  if (name !== undefined && manifest[name].use !== 'embed') return undefined;
  const outputs = readOnnx(bytes, beside).outputs.map((output) => output.name);
  const missing = Object.values(CLIP_OUTPUTS).find((output) => !outputs.includes(output));
  if (missing === undefined)
    return { name: 'tinyclip', form: 'onnx', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
  if (name === undefined) return undefined;
  throw new WeightsError(`The graph lacks the output "${missing}" of a CLIP graph with both encoders.`);
}

function asUpscaler(candidate: Candidate): Recognised | undefined {
  const { bytes, name, manifest } = candidate;
  if (name !== undefined && manifest[name].use !== 'upscale') return undefined;
  const form = detectFormat(bytes);
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
  throw new WeightsError(`The file contains no model of the manifest. ${likeness(candidate, tensors)}`);
}

/** @param isNamed throws the mismatch instead of returning undefined */
function tryWeights(
  { architecture }: UpscalerEntry,
  tensors: Tensors,
  form: WeightsFormat,
  isNamed: boolean,
): Tensors | undefined {
  try {
    return selectTensors(architecture, tensors, form);
  } catch (error) {
    if (isNamed || !(error instanceof WeightsError)) throw error;
    return undefined;
  }
}

/** Why the file differs from the first model of the manifest. */
function likeness(candidate: Candidate, tensors: Tensors): string {
  const upscaler = entriesOf(candidate).find(([, { use }]) => use === 'upscale')?.[1] as UpscalerEntry;
  try {
    checkArchitecture(tensors, upscaler.architecture);
    return '';
  } catch (error) {
    return (error as Error).message.split('. ').at(-1)!;
  }
}

/** Identifies a graph that is run unchanged by its input and output shapes. */
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
      `The graph has inputs of ${takes || 'unknown size'}${gives ? ` and ${gives} outputs` : ''}, which ${name ? `does not match ${name}` : 'matches no model of the manifest'}.`,
    );
  }
  if (fits.length > 1) throw manyFit(fits.map(([fit]) => ({ name: fit })));
  return { name: own, form: 'onnx', bytes, sha256: hashOf(bytes), origin: 'unofficial' };
}

const manyFit = (fits: readonly { readonly name: ModelName }[]): WeightsError =>
  new WeightsError(
    `The file may be ${fits.map(({ name }) => name).join(' or ')}. Choose one with --model ${fits[0]!.name}.`,
  );

/** Expected shapes of a model. Without sides, any shape matches, because segmentation graphs declare no or too many outputs. */
function shapeOf(entry: ModelEntry): GraphShape | undefined {
  if (entry.use === 'cut_out') return { input: [3, entry.sidePx, entry.sidePx], output: [] };
  return 'shape' in entry ? entry.shape : undefined;
}

function isLike({ input, output }: GraphShape, takes: Port, gives: Port): boolean {
  const fits = (wanted: readonly number[], [, ...sides]: Port['sides']) =>
    sides.length === wanted.length &&
    // A dynamic dimension is a name or −1.
    wanted.every((side, at) => (side === 0 ? !isFixed(sides[at]!) : sides[at] === side));
  return fits(input, takes.sides) && (output.length === 0 || fits(output, gives.sides));
}

const isFixed = (side: number | string): boolean => Number.isSafeInteger(side);
const sidesText = (port: Port | undefined): string => port?.sides.slice(1).join(' × ') ?? '';
