/** products.wat, assembled; a test assembles it again and compares. WebAssembly because it multiplies sixteen numbers at a time. */
export const PRODUCTS_WASM_B64 =
  'AGFzbQEAAAABCQFgBX9/f39/AAITAQd2ZWN0b3JzBm1lbW9yeQIAAQMCAQAHDAEIcHJvZHVjdHMAAArBAQG+AQICfwN7AkADQCABIAJPDQH9DAAAAAAAAAAAAAAAAAAAAAAhCP0MAAAAAAAAAAAAAAAAAAAAACEJIAAhBSABIANqIQYDQCAB/QAEACEHIAggB/2HASAF/QAEAP26Af2uASEIIAkgB/2IASAF/QAEEP26Af2uASEJIAVBIGohBSABQRBqIQEgASAGSQ0ACyAIIAn9rgEhCCAEIAj9GwAgCP0bAWogCP0bAiAI/RsDamo2AgAgBEEEaiEEDAALCws=';

const PAGE_BYTES = 65_536;
/** The first page has the vector asked for and the sums. */
const OUT = PAGE_BYTES / 2;
/** Vectors multiplied in one go: about 1 ms of 512 dimensions. */
export const VECTORS_A_GO = 8192;
/** Pages the memory grows by: a megabyte. */
const GROWTH_PAGES = 16;
/** Numbers multiplied at once. */
const LANES = 16;
export const VECTOR_DIMENSIONS_MAX = 8192;
const SUM_MAX = 2 ** 31 - 1;
/** Finer would change no sum: the vectors have eight bits. */
const ASKED_MAX = 8191;

interface Products {
  readonly products: (asked: number, from: number, end: number, stride: number, out: number) => void;
}

let compiled: WebAssembly.Module | undefined;

/** Vectors of one length, a signed byte a dimension, in a memory of their own, and the products of one with all. */
export class VectorMemory {
  readonly dimensions: number;
  readonly #stride: number;
  readonly #memory: WebAssembly.Memory;
  readonly #products: Products;

  /** @throws RangeError for more than VECTOR_DIMENSIONS_MAX dimensions */
  constructor(dimensions: number) {
    if (dimensions > VECTOR_DIMENSIONS_MAX)
      throw new RangeError(`more than ${VECTOR_DIMENSIONS_MAX} dimensions`);
    this.dimensions = dimensions;
    this.#stride = LANES * Math.ceil(dimensions / LANES);
    this.#memory = new WebAssembly.Memory({ initial: 1 });
    compiled ??= new WebAssembly.Module(Buffer.from(PRODUCTS_WASM_B64, 'base64'));
    const instance = new WebAssembly.Instance(compiled, { vectors: { memory: this.#memory } });
    this.#products = instance.exports as unknown as Products;
  }

  /** @param vector of `dimensions` numbers; takes the place of what is there */
  set(place: number, vector: Int8Array): void {
    const start = PAGE_BYTES + place * this.#stride;
    const missing = start + this.#stride - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.max(GROWTH_PAGES, Math.ceil(missing / PAGE_BYTES)));
    new Int8Array(this.#memory.buffer, start, this.dimensions).set(vector);
  }

  /**
   * Cosines of one vector with those in the places from `from`, at most VECTORS_A_GO, written to `out` at the same places. Of the vector asked
   * for 13 bits count, fewer where it has more than 2064 dimensions.
   * @param lengths Euclidean, of the vectors that are kept
   */
  cosines(asked: Float32Array, from: number, lengths: Float32Array, out: Float32Array): void {
    const to = Math.min(out.length, from + VECTORS_A_GO);
    const query = new Int16Array(this.#memory.buffer, 0, this.#stride).fill(0);
    const most = asked.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
    const scale = Math.min(ASKED_MAX, Math.floor(SUM_MAX / (127 * this.#stride))) / most;
    query.set(asked.map((value) => Math.round(value * scale)));
    const length = Math.hypot(...query) || 1;
    const start = PAGE_BYTES + from * this.#stride;
    this.#products.products(0, start, start + (to - from) * this.#stride, this.#stride, OUT);
    const sums = new Int32Array(this.#memory.buffer, OUT, to - from);
    for (let at = from; at < to; at += 1) out[at] = sums[at - from]! / (length * (lengths[at] || 1));
  }
}
