import { type PolarCode, polarTransform } from './polar_code.ts';

/** Paths kept at once. */
export const PATHS = 16;

/**
 * Successive-cancellation list decoding; the first path, likeliest first, that `accepts` holds to be whole is returned.
 * Parts of the tree that carry nothing, or one bit, are settled at once. I. Tal, A. Vardy, List Decoding of Polar Codes,
 * IEEE Trans. Inf. Theory 61 (2015); A. Balatsoukas-Stimming et al., LLR-Based SCL, IEEE Trans. Signal Process. 63 (2015).
 * @param likelihoods ln(P(0)/P(1)) for each coded bit
 */
export function decodePolar(
  code: PolarCode,
  likelihoods: Float32Array,
  accepts: (message: Uint8Array) => boolean,
): Uint8Array | undefined {
  const decoder = new ListDecoder(code);
  for (const word of decoder.words(likelihoods)) {
    const rows = polarTransform(word);
    const message = rows.filter((_, row) => code.isInformation[row]);
    if (accepts(message)) return message;
  }
  return undefined;
}

/** What every path holds at one depth of the tree. Paths that were forked share a slot until one of them writes. */
class Layer<T extends Float32Array | Uint8Array> {
  readonly slots: T[];
  readonly of = new Uint8Array(PATHS);

  constructor(slots: T[]) {
    this.slots = slots;
  }

  read(path: number): T {
    return this.slots[this.of[path]!]!;
  }

  /** A slot that no other of the first `active` paths looks at; its content is undefined. */
  write(path: number, active: number): T {
    let taken = 0;
    for (let other = 0; other < active; other++) if (other !== path) taken |= 1 << this.of[other]!;
    let slot = 0;
    while (taken & (1 << slot)) slot++;
    this.of[path] = slot;
    return this.slots[slot]!;
  }

  fork(parents: Uint8Array, active: number): void {
    const before = this.of.slice();
    for (let path = 0; path < active; path++) this.of[path] = before[parents[path]!]!;
  }
}

class ListDecoder {
  private readonly code: PolarCode;
  private readonly depths: number;
  /** Message rows before each row, to see at once what a part of the tree carries. */
  private readonly before: Uint32Array;
  private readonly llr: Layer<Float32Array>[] = [];
  private readonly left: Layer<Uint8Array>[] = [];
  private readonly bits: Layer<Uint8Array>[] = [];
  private penalty = new Float64Array(PATHS);
  private active = 1;

  constructor(code: PolarCode) {
    this.code = code;
    this.depths = Math.log2(code.length);
    this.before = new Uint32Array(code.length + 1);
    for (let row = 0; row < code.length; row++)
      this.before[row + 1] = this.before[row]! + code.isInformation[row]!;
    for (let depth = 0; depth <= this.depths; depth++) {
      const size = code.length >> depth;
      const bytes = () => Array.from({ length: PATHS }, () => new Uint8Array(size));
      this.llr.push(new Layer(Array.from({ length: PATHS }, () => new Float32Array(size))));
      this.left.push(new Layer(bytes()));
      this.bits.push(new Layer(bytes()));
    }
  }

  /** Coded words, likeliest first. */
  words(likelihoods: Float32Array): Uint8Array[] {
    this.llr[0]!.slots[0]!.set(likelihoods);
    this.node(0, 0);
    return Array.from({ length: this.active }, (_, path) => path)
      .sort((a, b) => this.penalty[a]! - this.penalty[b]!)
      .map((path) => this.bits[0]!.read(path).slice());
  }

  private node(depth: number, first: number): void {
    const size = this.code.length >> depth;
    const carried = this.before[first + size]! - this.before[first]!;
    if (carried === 0) this.settleFrozen(depth);
    else if (carried === 1 && this.code.isInformation[first + size - 1]) this.settleRepeated(depth);
    else this.branch(depth, first, size / 2);
  }

  private branch(depth: number, first: number, half: number): void {
    for (let path = 0; path < this.active; path++) {
      const from = this.llr[depth]!.read(path);
      checkNode(from, this.llr[depth + 1]!.write(path, this.active), half);
    }
    this.node(depth + 1, first);
    for (let path = 0; path < this.active; path++) {
      const bits = this.bits[depth + 1]!.read(path);
      this.left[depth + 1]!.write(path, this.active).set(bits);
      const from = this.llr[depth]!.read(path);
      variableNode(from, bits, this.llr[depth + 1]!.write(path, this.active), half);
    }
    this.node(depth + 1, first + half);
    for (let path = 0; path < this.active; path++) {
      const left = this.left[depth + 1]!.read(path);
      const right = this.bits[depth + 1]!.read(path);
      const word = this.bits[depth]!.write(path, this.active);
      for (let at = 0; at < half; at++) word[at] = left[at]! ^ right[at]!;
      word.set(right, half);
    }
  }

  /** Every bit below is known to be 0. */
  private settleFrozen(depth: number): void {
    for (let path = 0; path < this.active; path++) {
      this.penalty[path]! += cost(this.llr[depth]!.read(path), 0);
      this.bits[depth]!.write(path, this.active).fill(0);
    }
  }

  /** One bit, the same at every place: each path goes on as two, and the best are kept. */
  private settleRepeated(depth: number): void {
    const choices: { parent: number; bit: number; penalty: number }[] = [];
    for (let parent = 0; parent < this.active; parent++) {
      const values = this.llr[depth]!.read(parent);
      for (const bit of [0, 1])
        choices.push({ parent, bit, penalty: this.penalty[parent]! + cost(values, bit) });
    }
    const kept = choices.sort((a, b) => a.penalty - b.penalty).slice(0, PATHS);
    const parents = Uint8Array.from(kept, ({ parent }) => parent);
    this.active = kept.length;
    for (const layers of [this.llr, this.left, this.bits])
      for (const layer of layers as Layer<Uint8Array>[]) layer.fork(parents, this.active);
    this.penalty = new Float64Array(PATHS);
    kept.forEach(({ bit, penalty }, path) => {
      this.penalty[path] = penalty;
      this.bits[depth]!.write(path, this.active).fill(bit);
    });
  }
}

function checkNode(from: Float32Array, to: Float32Array, half: number): void {
  for (let at = 0; at < half; at++) {
    const [a, b] = [from[at]!, from[at + half]!];
    const smaller = Math.min(Math.abs(a), Math.abs(b));
    to[at] = a < 0 === b < 0 ? smaller : -smaller;
  }
}

function variableNode(from: Float32Array, bits: Uint8Array, to: Float32Array, half: number): void {
  for (let at = 0; at < half; at++) {
    const [a, b] = [from[at]!, from[at + half]!];
    to[at] = bits[at] ? b - a : b + a;
  }
}

/** What it costs to hold that all of these bits are `bit`. */
function cost(values: Float32Array, bit: number): number {
  let sum = 0;
  if (bit) {
    for (let at = 0; at < values.length; at++) if (values[at]! > 0) sum += values[at]!;
  } else {
    for (let at = 0; at < values.length; at++) if (values[at]! < 0) sum -= values[at]!;
  }
  return sum;
}
