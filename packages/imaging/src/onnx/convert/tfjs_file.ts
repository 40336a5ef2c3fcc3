import { elementsOf, WeightsError } from '../tensors.ts';
import { DESCRIPTION_BYTES_MAX, NETWORK_NUMBERS_MAX, PARTS_MAX } from './picture_network.ts';

/** The files of a TensorFlow.js network: a description in JSON, and weights in files beside it. */
export interface TfjsFile {
  readonly format: unknown;
  readonly topology: JsonObject;
  readonly signature: unknown;
  /** @throws WeightsError where there are none of that name */
  weights(name: string): StoredWeights;
}

/** Weights in the bytes of their file. */
export interface StoredWeights {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  /** `uint8` stands for scale × number + min. */
  readonly form: 'uint8' | 'float16' | 'int32';
  readonly scale: number;
  readonly min: number;
}

/** An object of a description: nothing about it is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Gives the bytes of a file that belongs to another one, by its name; undefined where it is not there. */
export type Beside = (name: string) => Uint8Array | undefined;

const MARK = 'modelTopology';
const BYTES_EACH = { uint8: 1, float16: 2, int32: 4 } as const;

/** Whether it may be the description of a TensorFlow.js network. */
export const isTfjs = (file: Uint8Array): boolean =>
  file[0] === 0x7b && file.length <= DESCRIPTION_BYTES_MAX && Buffer.from(file).includes(`"${MARK}"`);

/**
 * Reads a TensorFlow.js network and its weights; nothing in it is run.
 * @throws WeightsError for what is damaged or missing
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

/** Weights lie one after the other in the files of their group, which are read as one. */
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
    throw new WeightsError(`"${short(name)}" holds more numbers than any network of ours.`);
  return bytes;
}

function parse(file: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(file).toString('utf8'));
  } catch {
    throw new WeightsError('The description of the network is no JSON, or it is cut or altered.');
  }
}

/** @throws WeightsError for what is no object */
export function objectIn(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new WeightsError('The description of the network has something else where an object belongs.');
}

/** @throws WeightsError for what is no list, or too long a one */
export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= PARTS_MAX) return value;
  throw new WeightsError('The description of the network has something else where a list belongs.');
}

/** @throws WeightsError for what is no text */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WeightsError('The description of the network has something else where a name belongs.');
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** The beginning of a name, for a message. */
export const short = (name: string): string => name.slice(0, 80);
