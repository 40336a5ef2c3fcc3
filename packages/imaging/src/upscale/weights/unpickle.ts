import { WeightsError } from '../../onnx/tensors.ts';

/** What the pickle of a weight file may be made of. A tuple is a frozen list. */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | Map<Value, Value>
  | Callable
  | Opaque;

/** Something from the allow-list that a pickle may call: only code of ours is ever behind it. */
export class Callable {
  readonly call: (args: readonly Value[]) => Value;
  constructor(call: (args: readonly Value[]) => Value) {
    this.call = call;
  }
}

/** A value only the allow-list understands, such as a storage or a tensor. */
export class Opaque {
  readonly content: object;
  constructor(content: object) {
    this.content = content;
  }
}

/** Everything a pickle can reach outside itself, in a time that does not grow with what it asks. Both throw WeightsError. */
export interface Reach {
  global(module: string, name: string): Value;
  persistent(id: Value): Value;
}

const MARK = Symbol('mark');
type Cell = Value | typeof MARK;
/** Cells a pickle may hold at once; the largest network of the manifest needs about ten thousand. */
const CELLS_MAX = 1_000_000;
/** Opcodes it may have; the largest network of the manifest needs about fifty thousand. */
const STEPS_MAX = 2_000_000;

/**
 * Reads a pickle of protocol 2 without running anything: the opcodes that build plain values, and of those that import
 * and call, only what `reach` allows. Every other opcode is refused by name.
 * https://github.com/python/cpython/blob/3.12/Lib/pickletools.py
 * @throws WeightsError
 */
export function unpickle(bytes: Uint8Array, reach: Reach): Value {
  const machine = new Machine(bytes, reach);
  try {
    return machine.run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The pickle ends in the middle: the file is cut.', { cause: error });
  }
}

class Machine {
  readonly #view: DataView;
  readonly #reach: Reach;
  readonly #memo = new Map<number, Value>();
  readonly #stack: Cell[] = [];
  #at = 0;

  constructor(bytes: Uint8Array, reach: Reach) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reach = reach;
  }

  run(): Value {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const opcode = this.#uint8();
      if (opcode === 0x2e /* STOP */) return this.#pop();
      const step = STEPS[opcode];
      if (!step) throw new WeightsError(refusal(opcode));
      step(this);
      if (this.#stack.length + this.#memo.size > CELLS_MAX)
        throw new WeightsError('The pickle holds more values than any network of ours.');
    }
    throw new WeightsError('The pickle has more steps than any network of ours.');
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
    if (cell === undefined || cell === MARK)
      throw new WeightsError('The pickle takes what it never put down.');
    return cell;
  }

  pop(count: number): Value[] {
    return Array.from({ length: count }, () => this.#pop()).reverse();
  }

  popToMark(): Value[] {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw new WeightsError('The pickle takes what it never put down.');
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
    if (value === undefined) throw new WeightsError('The pickle recalls what it never remembered.');
    this.#stack.push(value);
  }

  call(): void {
    const [callee, args] = this.pop(2);
    if (!(callee instanceof Callable) || !Array.isArray(args))
      throw new WeightsError('The pickle calls something that is no part of a network.');
    this.#stack.push(callee.call(args));
  }

  /** Only dictionaries get a state (PyTorch's `_metadata`), and it tells nothing about the numbers. */
  dropState(): void {
    const [object] = this.pop(2);
    if (!(object instanceof Map))
      throw new WeightsError('The pickle sets a state on something that has none.');
    this.#stack.push(object);
  }

  fillMap(pairs: readonly Value[]): void {
    const [map] = this.pop(1);
    if (!(map instanceof Map) || pairs.length % 2 > 0)
      throw new WeightsError('The pickle fills a dictionary that is none.');
    for (let at = 0; at < pairs.length; at += 2) map.set(pairs[at]!, pairs[at + 1]!);
    this.#stack.push(map);
  }

  fillList(items: readonly Value[]): void {
    const [list] = this.pop(1);
    if (!Array.isArray(list) || Object.isFrozen(list))
      throw new WeightsError('The pickle fills a list that is none.');
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

  /** A whole number of any length, least byte first, two's complement. */
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
    if (this.#at + length > this.#view.byteLength) throw new RangeError('past the end');
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

/** Opcode → what it does, by the letter PEP 307 and the pickle module give it. */
const STEPS: Partial<Record<number, (machine: Machine) => void>> = Object.fromEntries(
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
  `The pickle uses the opcode 0x${opcode.toString(16).padStart(2, '0')}, which no file of network weights needs. It may be damaged or made to do harm; nothing of it was run.`;
