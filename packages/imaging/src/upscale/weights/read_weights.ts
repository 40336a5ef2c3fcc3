import { crc32 } from 'node:zlib';
import { readOnnx } from '../../onnx/read_weights.ts';
import {
  DIMENSIONS_MAX,
  elementsOf,
  FLOATS_MAX,
  TENSORS_MAX,
  type Tensor,
  type Tensors,
  WeightsError,
} from '../../onnx/tensors.ts';
import { type Architecture, checkArchitecture, expectedShapes } from '../architecture.ts';
import { readSafetensors } from './safetensors.ts';

/** Values in the pickle of a weight file. A tuple is a frozen list. */
type Value = null | boolean | number | string | readonly Value[] | Map<Value, Value> | Callable | Opaque;

/** An allow-listed function a pickle may call; always implemented here. */
class Callable {
  readonly call: (args: readonly Value[]) => Value;
  constructor(call: (args: readonly Value[]) => Value) {
    this.call = call;
  }
}

/** A value used only by allow-listed functions, such as a storage or a tensor. */
class Opaque {
  readonly content: object;
  constructor(content: object) {
    this.content = content;
  }
}

/** Callbacks for external references in a pickle; their running time does not depend on requested sizes. Both throw WeightsError. */
interface ExternalReferences {
  global(module: string, name: string): Value;
  persistent(id: Value): Value;
}

const MARK = Symbol('mark');
type Cell = Value | typeof MARK;
/** Limit on values in memory at once; the largest model of the manifest needs about ten thousand. */
const VALUES_MAX = 1_000_000;
/** Limit on opcodes; the largest model of the manifest needs about fifty thousand. */
const OPCODES_MAX = 2_000_000;

/**
 * Reads a pickle of protocol 2 without executing it: supports the opcodes that build plain values, and imports and calls only as far as
 * `reach` allows. Every other opcode is rejected by name. https://github.com/python/cpython/blob/3.12/Lib/pickletools.py
 * @throws WeightsError
 */
function unpickle(bytes: Uint8Array, reach: ExternalReferences): Value {
  const machine = new Machine(bytes, reach);
  try {
    return machine.run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The pickle is truncated.', { cause: error });
  }
}

class Machine {
  readonly #view: DataView;
  readonly #reach: ExternalReferences;
  readonly #memo = new Map<number, Value>();
  readonly #stack: Cell[] = [];
  #at = 0;

  constructor(bytes: Uint8Array, reach: ExternalReferences) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reach = reach;
  }

  run(): Value {
    for (let steps = 0; steps < OPCODES_MAX; steps += 1) {
      const opcode = this.#uint8();
      if (opcode === 0x2e /* STOP */) return this.#pop();
      const step = OPCODES[opcode];
      if (!step) throw new WeightsError(refusal(opcode));
      step(this);
      if (this.#stack.length + this.#memo.size > VALUES_MAX)
        throw new WeightsError('The pickle contains more values than any supported network.');
    }
    throw new WeightsError('The pickle contains more opcodes than any supported network.');
  }

  push(cell: Cell): void {
    this.#stack.push(cell);
  }

  pushMark(): void {
    this.#stack.push(MARK);
  }

  protocol(): void {
    const version = this.#uint8();
    if (version !== 2) throw new WeightsError(`The pickle has protocol ${version}; PyTorch writes 2.`);
  }

  #pop(): Value {
    const cell = this.#stack.pop();
    if (cell === undefined || cell === MARK) throw new WeightsError('The pickle pops from an empty stack.');
    return cell;
  }

  pop(count: number): Value[] {
    return Array.from({ length: count }, () => this.#pop()).reverse();
  }

  popToMark(): Value[] {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw new WeightsError('The pickle pops from an empty stack.');
    const values = this.#stack.splice(mark) as Value[];
    return values.slice(1);
  }

  remember(index: number): void {
    const top = this.#pop();
    this.#memo.set(index, top);
    this.#stack.push(top);
  }

  recall(index: number): void {
    const value = this.#memo.get(index);
    if (value === undefined) throw new WeightsError('The pickle reads an undefined memo entry.');
    this.#stack.push(value);
  }

  call(): void {
    const [callee, args] = this.pop(2);
    if (!(callee instanceof Callable) || !Array.isArray(args))
      throw new WeightsError('The pickle calls something that is not part of a network.');
    this.#stack.push(callee.call(args));
  }

  /** Only dictionaries receive a state (PyTorch's `_metadata`), which contains no weights. */
  dropState(): void {
    const [object] = this.pop(2);
    if (!(object instanceof Map))
      throw new WeightsError('The pickle sets the state of a value that has none.');
    this.#stack.push(object);
  }

  fillMap(pairs: readonly Value[]): void {
    const [map] = this.pop(1);
    if (!(map instanceof Map) || pairs.length % 2 > 0)
      throw new WeightsError('The pickle adds items to a value that is not a dictionary.');
    for (let at = 0; at < pairs.length; at += 2) map.set(pairs[at]!, pairs[at + 1]!);
    this.#stack.push(map);
  }

  fillList(items: readonly Value[]): void {
    const [list] = this.pop(1);
    if (!Array.isArray(list) || Object.isFrozen(list))
      throw new WeightsError('The pickle appends to a value that is not a list.');
    for (const item of items) list.push(item);
    this.#stack.push(list);
  }

  import(): void {
    this.#stack.push(this.#reach.global(this.#line(), this.#line()));
  }

  loadBytes(): void {
    this.#stack.push(this.#reach.persistent(this.#pop()));
  }

  number(read: (view: DataView, at: number) => number, bytes: number): number {
    const value = read(this.#view, this.#at);
    this.#at += bytes;
    return value;
  }

  /** An integer of any length, little-endian, two's complement. */
  long(): number {
    const length = this.#uint8();
    let value = 0n;
    for (let at = 0; at < length; at += 1) value |= BigInt(this.#uint8()) << BigInt(8 * at);
    const signed = BigInt.asIntN(8 * Math.max(1, length), value);
    return length === 0 ? 0 : Number(signed);
  }

  text(length: number): string {
    const text = Buffer.from(this.#view.buffer, this.#view.byteOffset + this.#at, this.#bounded(length));
    this.#at += length;
    return text.toString('utf8');
  }

  #bounded(length: number): number {
    if (this.#at + length > this.#view.byteLength) throw new RangeError('read past the end');
    return length;
  }

  #line(): string {
    const start = this.#at;
    while (this.#uint8() !== 0x0a);
    const end = this.#at - 1;
    return Buffer.from(this.#view.buffer, this.#view.byteOffset + start, end - start).toString('utf8');
  }

  #uint8(): number {
    return this.number((view, at) => view.getUint8(at), 1);
  }
}

const uint8 = (machine: Machine) => machine.number((view, at) => view.getUint8(at), 1);
const uint16 = (machine: Machine) => machine.number((view, at) => view.getUint16(at, true), 2);
const uint32 = (machine: Machine) => machine.number((view, at) => view.getUint32(at, true), 4);
const int32 = (machine: Machine) => machine.number((view, at) => view.getInt32(at, true), 4);
const float64 = (machine: Machine) => machine.number((view, at) => view.getFloat64(at), 8);
const tuple = (values: Value[]): Value => Object.freeze(values);

/** Opcode handlers, named as in PEP 307 and the pickle module. */
const OPCODES: Partial<Record<number, (machine: Machine) => void>> = Object.fromEntries(
  Object.entries({
    '\x80': (machine) => machine.protocol(),
    '(': (machine) => machine.pushMark(),
    '}': (machine) => machine.push(new Map()),
    ']': (machine) => machine.push([]),
    ')': (machine) => machine.push(tuple([])),
    t: (machine) => machine.push(tuple(machine.popToMark())),
    '\x85': (machine) => machine.push(tuple(machine.pop(1))),
    '\x86': (machine) => machine.push(tuple(machine.pop(2))),
    '\x87': (machine) => machine.push(tuple(machine.pop(3))),
    N: (machine) => machine.push(null),
    '\x88': (machine) => machine.push(true),
    '\x89': (machine) => machine.push(false),
    K: (machine) => machine.push(uint8(machine)),
    M: (machine) => machine.push(uint16(machine)),
    J: (machine) => machine.push(int32(machine)),
    G: (machine) => machine.push(float64(machine)),
    '\x8a': (machine) => machine.push(machine.long()),
    X: (machine) => machine.push(machine.text(uint32(machine))),
    U: (machine) => machine.push(machine.text(uint8(machine))),
    q: (machine) => machine.remember(uint8(machine)),
    r: (machine) => machine.remember(uint32(machine)),
    h: (machine) => machine.recall(uint8(machine)),
    j: (machine) => machine.recall(uint32(machine)),
    u: (machine) => machine.fillMap(machine.popToMark()),
    s: (machine) => machine.fillMap(machine.pop(2)),
    a: (machine) => machine.fillList(machine.pop(1)),
    e: (machine) => machine.fillList(machine.popToMark()),
    c: (machine) => machine.import(),
    R: (machine) => machine.call(),
    b: (machine) => machine.dropState(),
    Q: (machine) => machine.loadBytes(),
  } satisfies Record<string, (machine: Machine) => void>).map(([letter, step]) => [
    letter.charCodeAt(0),
    step,
  ]),
);

const refusal = (opcode: number): string =>
  `The pickle uses the opcode 0x${opcode.toString(16).padStart(2, '0')}, which no file of network weights needs. The file may be damaged or malicious; no code from it was executed.`;

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_ENTRY = 0x04034b50;
const LOCAL_ENTRY_BYTES = 30;
const STORED = 0;

/**
 * Lists the files of an uncompressed zip archive, as PyTorch writes it, and checks their CRC-32. The contents are views of `bytes`.
 * APPNOTE.TXT 6.3.10, 4.3.
 * @throws WeightsError if the archive is truncated, modified, compressed or larger than 4 GB
 */
function zipEntries(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return entriesIn(view, bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The zip archive refers to offsets outside itself: it is truncated or modified.', {
      cause: error,
    });
  }
}

function entriesIn(view: DataView, bytes: Uint8Array): Map<string, Uint8Array> {
  const end = endOfDirectory(view);
  const entries = new Map<string, Uint8Array>();
  let contained = 0;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new WeightsError('The zip directory is damaged.');
    const nameBytes = view.getUint16(at + 28, true);
    const name = Buffer.from(
      bytes.subarray(at + DIRECTORY_ENTRY_BYTES, at + DIRECTORY_ENTRY_BYTES + nameBytes),
    );
    if (entries.has(name.toString()))
      throw new WeightsError('The zip archive contains a duplicate file name.');
    // Overlapping files would multiply the checksum work: thousands of entries for the same 500 MB.
    contained += view.getUint32(at + 24, true);
    if (contained > bytes.length)
      throw new WeightsError('The zip archive declares more content than it has: it is modified.');
    entries.set(name.toString(), contentOf(view, bytes, at));
    at += DIRECTORY_ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endOfDirectory(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  throw new WeightsError('The zip archive has no end record: the file is truncated. Download it again.');
}

function contentOf(view: DataView, bytes: Uint8Array, entry: number): Uint8Array {
  if (view.getUint16(entry + 10, true) !== STORED)
    throw new WeightsError('The zip archive is compressed; PyTorch writes it uncompressed.');
  const size = view.getUint32(entry + 24, true);
  const local = view.getUint32(entry + 42, true);
  if (view.getUint32(local, true) !== LOCAL_ENTRY) throw new WeightsError('The zip archive is damaged.');
  const start =
    local + LOCAL_ENTRY_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const content = bytes.subarray(start, start + size);
  if (content.length !== size || crc32(content) !== view.getUint32(entry + 16, true))
    throw new WeightsError(
      'An entry of the zip archive does not match its checksum: the file is truncated or modified.',
    );
  return content;
}

/** Limit on the pickle alone: the largest official file has 90 KB. */
const PICKLE_BYTES_MAX = 8 * 1024 * 1024;
/** Keys under which checkpoints of the Real-ESRGAN family store their weights; the averaged (EMA) ones are the published ones. */
const ROOTS = ['params_ema', 'params', 'state_dict'];
/** A legacy file begins with the pickle of this magic number. torch/serialization.py, MAGIC_NUMBER */
const LEGACY_START = Buffer.from('80028a0a6cfc9c46f9206aa85019', 'hex');

/**
 * Reads the tensors of a PyTorch checkpoint without executing code from it: an uncompressed zip archive whose pickle may build only
 * dictionaries, tensors and storages. torch/csrc/jit/serialization, torch/serialization.py (`_save`, `persistent_id`)
 * @throws WeightsError if the file is truncated, modified, of another type, or refers to anything but tensors
 */
export function readPth(bytes: Uint8Array): Tensors {
  if (LEGACY_START.equals(bytes.subarray(0, LEGACY_START.length)))
    throw new WeightsError(
      'The file has the legacy format of PyTorch before version 1.6. The official files use the newer format; install those.',
    );
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new WeightsError('The file is not a PyTorch checkpoint.');
  const entries = zipEntries(bytes);
  const pickles = [...entries.keys()].filter((name) => name.endsWith('/data.pkl'));
  const [pickle] = pickles;
  if (pickle === undefined || pickles.length > 1)
    throw new WeightsError(
      'The zip archive is not a PyTorch checkpoint: it must contain exactly one data.pkl.',
    );
  const folder = pickle.slice(0, -'data.pkl'.length);
  assertLittleEndian(entries.get(`${folder}byteorder`));
  if (entries.get(pickle)!.length > PICKLE_BYTES_MAX)
    throw new WeightsError('The pickle is larger than that of any supported network.');
  const root = unpickle(entries.get(pickle)!, { global, persistent: storages(entries, folder) });
  return tensorsIn(root);
}

function assertLittleEndian(order: Uint8Array | undefined): void {
  if (order && Buffer.from(order).toString() !== 'little')
    throw new WeightsError('The file is big-endian, which is not supported.');
}

interface Storage {
  readonly elements: number;
  read(element: number): number;
  /** All elements, if they are already 32-bit floats. */
  readonly floats?: Float32Array;
}

interface StorageType {
  readonly bytes: number;
  read(view: DataView, at: number): number;
}

const FLOAT32: StorageType = { bytes: 4, read: (view, at) => view.getFloat32(at, true) };
const FLOAT16: StorageType = { bytes: 2, read: (view, at) => view.getFloat16(at, true) };
const storageType = (type: StorageType) => new Opaque(type);

/** The allow-list: every other global in a pickle is rejected. */
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
  const calls = `${module}.${name}`.replace(/[^\w.]/g, '?').slice(0, 80);
  throw new WeightsError(
    `The file imports "${calls}", which is not part of network weights. The file may be malicious; no code from it was executed.`,
  );
}

function emptyMap(args: readonly Value[]): Value {
  if (args.length > 0) throw new WeightsError('The pickle creates a dictionary differently from PyTorch.');
  return new Map();
}

/** Creates one storage per file and type, however often the pickle refers to it, because it may have to be copied. */
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

/** @param id ('storage', type, key, device, number of elements) */
function storageOf(id: Value, find: (key: string) => Uint8Array | undefined): Value {
  const [kind, type, key, , elements] = Array.isArray(id) ? (id as readonly Value[]) : [];
  const isStorage = kind === 'storage' && type instanceof Opaque && 'read' in type.content;
  if (!isStorage || typeof key !== 'string' || typeof elements !== 'number')
    throw new WeightsError('The pickle refers to a storage differently from PyTorch.');
  const bytes = find(key);
  const { bytes: size, read } = type.content as StorageType;
  if (!bytes || bytes.length !== elements * size)
    throw new WeightsError('The bytes of a tensor are missing or have the wrong length.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Copied only if a view would be unaligned; PyTorch aligns to 64 bytes.
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

/** @param args storage, offset, shape, strides, and training data that is ignored */
function tensorOf([storage, offset, shape, strides]: readonly Value[]): Value {
  const isStorage = storage instanceof Opaque && 'elements' in storage.content;
  if (
    !isStorage ||
    !isCount(offset) ||
    !isCounts(shape) ||
    !isCounts(strides) ||
    shape.length !== strides.length
  )
    throw new WeightsError('The pickle builds a tensor differently from PyTorch.');
  return new Opaque({ storage: storage.content as Storage, offset, shape, strides } satisfies StoredTensor);
}

const isCount = (value: Value | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isCounts = (value: Value | undefined): value is readonly number[] =>
  Array.isArray(value) && value.length <= DIMENSIONS_MAX && value.every(isCount);

/** The weights under one of the usual keys, or at the top level. Other entries belong to training. */
function tensorsIn(root: Value): Tensors {
  if (!(root instanceof Map)) throw new WeightsError('The file contains no dictionary of tensors.');
  const named = ROOTS.map((name) => root.get(name)).find((value) => value instanceof Map) ?? root;
  const tensors = new Map<string, Tensor>();
  let floats = 0;
  for (const [name, value] of named as Map<Value, Value>) {
    if (typeof name !== 'string' || !(value instanceof Opaque) || !('strides' in value.content)) continue;
    const stored = value.content as StoredTensor;
    floats += elementsOf(stored.shape, name);
    if (floats > FLOATS_MAX || tensors.size >= TENSORS_MAX)
      throw new WeightsError('The file contains more values than any supported network.');
    tensors.set(name, { shape: stored.shape, data: numbersOf(stored, name) });
  }
  if (tensors.size === 0) throw new WeightsError('The file contains no tensors.');
  return tensors;
}

function numbersOf({ storage, offset, shape, strides }: StoredTensor, name: string): Float32Array {
  const elements = elementsOf(shape, name);
  const last = shape.reduce((at, side, axis) => at + (side - 1) * strides[axis]!, offset);
  if (elements > storage.elements || (elements > 0 && !(last < storage.elements)))
    throw new WeightsError(`The tensor "${name.slice(0, 80)}" exceeds its storage.`);
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

/** PyTorch checkpoints, safetensors, and ONNX graphs, of which only the weights are used. */
export type WeightsFormat = 'pth' | 'safetensors' | 'onnx';

/** Detects the format by its first bytes; ONNX has no signature and is the fallback. */
export function detectFormat(bytes: Uint8Array): WeightsFormat {
  if ((bytes[0] === 0x50 && bytes[1] === 0x4b) || bytes[0] === 0x80) return 'pth';
  // A length of eight bytes, the upper five of which are zero for headers below 16 MB, then JSON.
  return bytes[8] === 0x7b && bytes.subarray(3, 8).every((byte) => byte === 0) ? 'safetensors' : 'onnx';
}

/**
 * Reads the tensors of a file in any supported format without executing anything.
 * @param beside returns a file in which an ONNX graph stores its weights
 * @throws WeightsError
 */
export function readWeights(
  bytes: Uint8Array,
  form: WeightsFormat,
  beside: (name: string) => Uint8Array | undefined = () => undefined,
): Tensors {
  if (form === 'pth') return readPth(bytes);
  return form === 'safetensors' ? readSafetensors(bytes) : readOnnx(bytes, beside).tensors;
}

/**
 * Selects the tensors of an architecture from those of a file. ONNX exporters add constants, and dimensions of one to slopes, so only that
 * format may contain more than the architecture.
 * @throws WeightsError if the weights belong to another model
 */
export function selectTensors(architecture: Architecture, tensors: Tensors, form: WeightsFormat): Tensors {
  const requested = form === 'onnx' ? pickKnown(tensors, expectedShapes(architecture)) : tensors;
  checkArchitecture(requested, architecture);
  return requested;
}

function pickKnown(tensors: Tensors, expected: ReadonlyMap<string, readonly number[]>): Tensors {
  const found = new Map<string, Tensor>();
  for (const [name, { length: axes }] of expected) {
    const tensor = tensors.get(name);
    if (!tensor) continue;
    const isLonger = tensor.shape.slice(axes).every((side) => side === 1);
    found.set(name, { shape: isLonger ? tensor.shape.slice(0, axes) : tensor.shape, data: tensor.data });
  }
  // If nothing matches, the check reports which architecture the file resembles.
  return found.size > 0 ? found : tensors;
}
