import { elementsOf, WeightsError } from '../tensors.ts';
import { DESCRIPTION_BYTES_MAX, NETWORK_NUMBERS_MAX, PARTS_MAX } from './picture_network.ts';

/** A TensorFlow.js model: a JSON description with weights in separate files. */
export interface TfjsFile {
  readonly format: unknown;
  readonly topology: JsonObject;
  readonly signature: unknown;
  /** @throws WeightsError for an unknown name */
  weights(name: string): StoredWeights;
}

/** Weights as stored bytes. */
export interface StoredWeights {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  /** `uint8` represents scale × number + min. */
  readonly form: 'uint8' | 'float16' | 'int32';
  readonly scale: number;
  readonly min: number;
}

/** An untrusted object of a description. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the bytes of an accompanying file by name; undefined if it is missing. */
export type Beside = (name: string) => Uint8Array | undefined;

const MARK = 'modelTopology';
const BYTES_EACH = { uint8: 1, float16: 2, int32: 4 } as const;

/** Whether a file may be the description of a TensorFlow.js model. */
export const isTfjs = (file: Uint8Array): boolean =>
  file[0] === 0x7b && file.length <= DESCRIPTION_BYTES_MAX && Buffer.from(file).includes(`"${MARK}"`);

/**
 * Reads a TensorFlow.js model and its weights without running it.
 * @throws WeightsError for damaged or missing files
 */
export function readTfjs(file: Uint8Array, beside: Beside): TfjsFile {
  if (file.length > DESCRIPTION_BYTES_MAX)
    throw new WeightsError('The description of the network is longer than any of ours.');
  const { format, signature, weightsManifest, [MARK]: topology } = objectIn(parse(file));
  const found = new Map(
    listIn(weightsManifest)
      .flatMap((group) => readGroup(objectIn(group), beside))
      .map((weights) => [weights.name, weights]),
  );
  return {
    format,
    signature,
    topology: objectIn(topology),
    weights(name) {
      const weights = found.get(name);
      if (!weights)
        throw new WeightsError(`The TensorFlow.js network has no weights "${name.slice(0, 80)}".`);
      return weights;
    },
  };
}

/** Weights are stored consecutively across the files of their group. */
function readGroup({ paths, weights }: JsonObject, beside: Beside): StoredWeights[] {
  const data = Buffer.concat(listIn(paths).map((path) => shard(textIn(path), beside)));
  let at = 0;
  const read = listIn(weights).map((item): StoredWeights => {
    const { name: said, shape, dtype, quantization } = objectIn(item);
    const name = textIn(said);
    const { dtype: kept, scale, min } = objectIn(quantization ?? {});
    const form = formOf(name, kept ?? dtype);
    const isScaled = isNumber(scale) && isNumber(min);
    if (form === 'uint8' && !isScaled) throw new WeightsError(`The weights "${short(name)}" have no scale.`);
    const sides = listIn(shape) as number[];
    const length = elementsOf(sides, name) * BYTES_EACH[form];
    at += length;
    const bytes = data.subarray(at - length, at);
    return { name, shape: sides, data: bytes, form, ...(isScaled ? { scale, min } : { scale: 1, min: 0 }) };
  });
  if (at !== data.length)
    throw new WeightsError(`The weights are ${data.length} bytes, and their description says ${at}.`);
  return read;
}

function formOf(name: string, kept: unknown): StoredWeights['form'] {
  if (kept === 'uint8' || kept === 'float16' || kept === 'int32') return kept;
  throw new WeightsError(
    `The weights "${short(name)}" are kept neither in 8 bits, nor as 16-bit floats or whole numbers.`,
  );
}

function shard(name: string, beside: Beside): Uint8Array {
  const bytes = beside(name);
  if (!bytes)
    throw new WeightsError(`The weights of the network are in "${short(name)}", which is not beside it.`);
  if (bytes.length > NETWORK_NUMBERS_MAX)
    throw new WeightsError(`"${short(name)}" contains more values than any supported network.`);
  return bytes;
}

function parse(file: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(file).toString('utf8'));
  } catch {
    throw new WeightsError('The description of the network is not JSON, or it is truncated or modified.');
  }
}

/** @throws WeightsError unless it is an object */
export function objectIn(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new WeightsError('The description of the network has something else where an object belongs.');
}

/** @throws WeightsError unless it is a list of limited length */
export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= PARTS_MAX) return value;
  throw new WeightsError('The description of the network has something else where a list belongs.');
}

/** @throws WeightsError unless it is a text */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WeightsError('The description of the network has something else where a name belongs.');
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** A truncated name for messages. */
export const short = (name: string): string => name.slice(0, 80);
