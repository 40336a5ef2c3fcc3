import {
  DIMENSIONS_MAX,
  elementsOf,
  FLOATS_MAX,
  TENSORS_MAX,
  type Tensor,
  type Tensors,
  WeightsError,
} from '../../onnx/tensors.ts';
import { Callable, Opaque, unpickle, type Value } from './unpickle.ts';
import { zipEntries } from './zip_entries.ts';

/** The pickle alone: the largest official file has 90 KB. */
const PICKLE_BYTES_MAX = 8 * 1024 * 1024;
/** Where checkpoints of the Real-ESRGAN family keep their weights; the averaged ones are the published ones. */
const ROOTS = ['params_ema', 'params', 'state_dict'];
/** A legacy file begins with the pickle of this magic number. torch/serialization.py, MAGIC_NUMBER */
const LEGACY_START = Buffer.from('80028a0a6cfc9c46f9206aa85019', 'hex');

/**
 * Reads the tensors of a PyTorch checkpoint without executing anything in it: an uncompressed zip archive with a pickle
 * that may build dictionaries, tensors and storages and nothing else.
 * torch/csrc/jit/serialization, torch/serialization.py (`_save`, `persistent_id`)
 * @throws WeightsError where the file is cut, altered, of another kind, or reaches for anything beside tensors
 */
export function readPth(bytes: Uint8Array): Tensors {
  if (LEGACY_START.equals(bytes.subarray(0, LEGACY_START.length)))
    throw new WeightsError(
      'The file has the form PyTorch wrote before version 1.6. The official files are of the newer one; take those.',
    );
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new WeightsError('The file is no PyTorch checkpoint.');
  const entries = zipEntries(bytes);
  const pickles = [...entries.keys()].filter((name) => name.endsWith('/data.pkl'));
  const [pickle] = pickles;
  if (pickle === undefined || pickles.length > 1)
    throw new WeightsError('The zip archive is no PyTorch checkpoint: it has no data.pkl of its own.');
  const folder = pickle.slice(0, -'data.pkl'.length);
  refuseForeignOrder(entries.get(`${folder}byteorder`));
  if (entries.get(pickle)!.length > PICKLE_BYTES_MAX)
    throw new WeightsError('The pickle is larger than that of any network of ours.');
  const root = unpickle(entries.get(pickle)!, { global, persistent: storages(entries, folder) });
  return tensorsIn(root);
}

function refuseForeignOrder(order: Uint8Array | undefined): void {
  if (order && Buffer.from(order).toString() !== 'little')
    throw new WeightsError('The file was written on a machine that puts the highest byte first.');
}

interface Storage {
  readonly elements: number;
  read(element: number): number;
  /** All elements, where they are 32-bit floats already. */
  readonly floats?: Float32Array;
}

interface StorageType {
  readonly bytes: number;
  read(view: DataView, at: number): number;
}

const FLOAT32: StorageType = { bytes: 4, read: (view, at) => view.getFloat32(at, true) };
const FLOAT16: StorageType = { bytes: 2, read: (view, at) => view.getFloat16(at, true) };
const storageType = (type: StorageType) => new Opaque(type);

/** THE allow-list: whatever else a pickle names is refused. */
const GLOBALS = new Map<string, Value>([
  ['collections OrderedDict', new Callable((args) => emptyMap(args))],
  ['torch._utils _rebuild_tensor_v2', new Callable((args) => tensorOf(args))],
  ['torch._utils _rebuild_parameter', new Callable(([tensor = null]) => tensor)],
  ['torch FloatStorage', storageType(FLOAT32)],
  ['torch HalfStorage', storageType(FLOAT16)],
]);

function global(module: string, name: string): Value {
  const found = GLOBALS.get(`${module} ${name}`);
  if (found !== undefined) return found;
  const asked = `${module}.${name}`.replace(/[^\w.]/g, '?').slice(0, 80);
  throw new WeightsError(
    `The file asks for "${asked}", which is no part of network weights. It may be made to do harm; nothing of it was run.`,
  );
}

function emptyMap(args: readonly Value[]): Value {
  if (args.length > 0) throw new WeightsError('The pickle makes a dictionary in a way PyTorch does not.');
  return new Map();
}

/** Each file is made a storage of its type once, however often the pickle asks for it: it may have to be copied. */
function storages(entries: ReadonlyMap<string, Uint8Array>, folder: string): (id: Value) => Value {
  const made = new Map<string, Value>();
  return (id) => {
    const [, type, key, , elements] = Array.isArray(id) ? (id as readonly Value[]) : [];
    const name = `${type === GLOBALS.get('torch HalfStorage')} ${elements} ${key}`;
    const storage = made.get(name) ?? storageOf(id, (file) => entries.get(`${folder}data/${file}`));
    made.set(name, storage);
    return storage;
  };
}

/** @param id ('storage', type, key, place it was on, number of elements) */
function storageOf(id: Value, find: (key: string) => Uint8Array | undefined): Value {
  const [kind, type, key, , elements] = Array.isArray(id) ? (id as readonly Value[]) : [];
  const isStorage = kind === 'storage' && type instanceof Opaque && 'read' in type.content;
  if (!isStorage || typeof key !== 'string' || typeof elements !== 'number')
    throw new WeightsError('The pickle asks for bytes in a way PyTorch does not.');
  const bytes = find(key);
  const { bytes: size, read } = type.content as StorageType;
  if (!bytes || bytes.length !== elements * size)
    throw new WeightsError('The bytes of a tensor are missing, or fewer or more than it says.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Copied only where a view would not be aligned; PyTorch aligns to 64 bytes.
  const floats = type.content === FLOAT32 ? { floats: alignFloats(bytes) } : {};
  return new Opaque({ elements, read: (at: number) => read(view, at * size), ...floats } satisfies Storage);
}

const alignFloats = (bytes: Uint8Array): Float32Array => {
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, bytes.byteLength / 4);
};

interface StoredTensor {
  readonly storage: Storage;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** @param args storage, first element, shape, strides, and what training needed */
function tensorOf([storage, offset, shape, strides]: readonly Value[]): Value {
  const isStorage = storage instanceof Opaque && 'elements' in storage.content;
  if (
    !isStorage ||
    !isCount(offset) ||
    !isCounts(shape) ||
    !isCounts(strides) ||
    shape.length !== strides.length
  )
    throw new WeightsError('The pickle builds a tensor in a way PyTorch does not.');
  return new Opaque({ storage: storage.content as Storage, offset, shape, strides } satisfies StoredTensor);
}

const isCount = (value: Value | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isCounts = (value: Value | undefined): value is readonly number[] =>
  Array.isArray(value) && value.length <= DIMENSIONS_MAX && value.every(isCount);

/** The weights under one of the usual names, or at the top. Entries that are no tensors belong to training. */
function tensorsIn(root: Value): Tensors {
  if (!(root instanceof Map)) throw new WeightsError('The file holds no dictionary of tensors.');
  const named = ROOTS.map((name) => root.get(name)).find((value) => value instanceof Map) ?? root;
  const tensors = new Map<string, Tensor>();
  let floats = 0;
  for (const [name, value] of named as Map<Value, Value>) {
    if (typeof name !== 'string' || !(value instanceof Opaque) || !('strides' in value.content)) continue;
    const stored = value.content as StoredTensor;
    floats += elementsOf(stored.shape, name);
    if (floats > FLOATS_MAX || tensors.size >= TENSORS_MAX)
      throw new WeightsError('The file holds more numbers than any network of ours.');
    tensors.set(name, { shape: stored.shape, data: numbersOf(stored, name) });
  }
  if (tensors.size === 0) throw new WeightsError('The file holds no tensors.');
  return tensors;
}

function numbersOf({ storage, offset, shape, strides }: StoredTensor, name: string): Float32Array {
  const elements = elementsOf(shape, name);
  const last = shape.reduce((at, side, axis) => at + (side - 1) * strides[axis]!, offset);
  if (elements > storage.elements || (elements > 0 && !(last < storage.elements)))
    throw new WeightsError(`The tensor "${name.slice(0, 80)}" reaches past its bytes.`);
  const rowMajor = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, side) => product * side, 1));
  const isPlain = rowMajor.every((stride, axis) => stride === strides[axis] || shape[axis]! <= 1);
  if (isPlain && storage.floats) return storage.floats.subarray(offset, offset + elements);
  return Float32Array.from({ length: elements }, (_, index) => {
    const at = shape.reduce(
      (sum, side, axis) => sum + (Math.floor(index / rowMajor[axis]!) % side) * strides[axis]!,
      offset,
    );
    return storage.read(at);
  });
}
