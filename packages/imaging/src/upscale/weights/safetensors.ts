import { floatsOfHalves, halvesOfFloats } from '../../onnx/half_floats.ts';
import {
  elementsOf,
  FLOATS_MAX,
  TENSORS_MAX,
  type Tensor,
  type Tensors,
  WeightsError,
} from '../../onnx/tensors.ts';

const HEADER_BYTES_MAX = 8 * 1024 * 1024;
const LENGTH_BYTES = 8;

interface Entry {
  readonly dtype: unknown;
  readonly shape: unknown;
  readonly data_offsets: unknown;
}

/**
 * Reads a safetensors file: the length of a JSON header, the header, the values. https://huggingface.co/docs/safetensors
 * @throws WeightsError if the file is truncated, modified or of another type
 */
export function readSafetensors(bytes: Uint8Array): Tensors {
  const length = bytes.length < LENGTH_BYTES ? 0 : Number(Buffer.from(bytes).readBigUInt64LE());
  if (length < 2 || length > HEADER_BYTES_MAX || LENGTH_BYTES + length > bytes.length)
    throw new WeightsError('The file is not a safetensors file, or it is truncated.');
  const body = bytes.subarray(LENGTH_BYTES + length);
  const tensors = new Map<string, Tensor>();
  let floats = 0;
  for (const [name, entry] of Object.entries(headerOf(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)))) {
    if (name === '__metadata__') continue;
    const tensor = tensorOf(name, entry as Entry, body);
    floats += tensor.data.length;
    if (floats > FLOATS_MAX || tensors.size >= TENSORS_MAX)
      throw new WeightsError('The file contains more values than any supported network.');
    tensors.set(name, tensor);
  }
  return tensors;
}

function headerOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    const header = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof header === 'object' && header !== null && !Array.isArray(header)) return header;
  } catch {
    // Reported below.
  }
  throw new WeightsError('The header of the safetensors file is damaged.');
}

function tensorOf(name: string, { dtype, shape, data_offsets: offsets }: Entry, body: Uint8Array): Tensor {
  const size = dtype === 'F32' ? 4 : dtype === 'F16' ? 2 : undefined;
  const [start, end] = Array.isArray(offsets) ? (offsets as unknown[]) : [];
  const isRight =
    size !== undefined && Array.isArray(shape) && Number.isSafeInteger(start) && Number.isSafeInteger(end);
  if (!isRight)
    throw new WeightsError(`The tensor "${name.slice(0, 80)}" does not consist of 32- or 16-bit floats.`);
  const elements = elementsOf(shape, name);
  // Copied, so that the values are aligned and independent of the file.
  const part = new Uint8Array(body.subarray(Math.max(0, start as number), end as number));
  if ((start as number) < 0 || part.length !== elements * size)
    throw new WeightsError(`The values of "${name.slice(0, 80)}" are missing or do not match its shape.`);
  const data = size === 4 ? new Float32Array(part.buffer) : floatsOfHalves(part);
  return { shape, data };
}

/**
 * Writes a safetensors file in canonical form, so that equal weights give equal bytes: tensors sorted by name, 32-bit floats, no metadata,
 * the header padded to 8 bytes with spaces. The safetensors library writes the same bytes, so their sha256 can be compared with published
 * ones.
 * @param half writes 16-bit floats; only for weights that already are 16-bit floats
 */
export function writeSafetensors(tensors: Tensors, { half = false } = {}): Uint8Array {
  const names = [...tensors.keys()].sort();
  const parts = names.map((name) => {
    const { data } = tensors.get(name)!;
    const { buffer, byteOffset, byteLength } = half ? halvesOfFloats(data) : data;
    return Buffer.from(buffer, byteOffset, byteLength);
  });
  let at = 0;
  const entries = names.map((name, index) => {
    const start = at;
    at += parts[index]!.length;
    const { shape } = tensors.get(name)!;
    return [name, { dtype: half ? 'F16' : 'F32', shape, data_offsets: [start, at] }];
  });
  const header = JSON.stringify(Object.fromEntries(entries));
  const padded = Buffer.from(header.padEnd(Math.ceil(header.length / 8) * 8));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, ...parts]);
}
