/** popcount.wat, assembled; a test compares it with its source. WebAssembly counts bits in one instruction. */
export const POPCOUNT_WASM_B64 =
  'AGFzbQEAAAABJgRgBn9/f39/fwF/YAh/f39/f39/fwF/YAN/f38Bf2AFf39/f38AAhEBBWluZGV4Bm1lbW9yeQIAAQMFBAABAgMHEQIEc2NhbgAABmxvb2t1cAABCqIEBJcBAgR+BH8gAikDACEGIAIpAwghByACKQMQIQggAikDGCEJIAAhCgJAA0AgCyABTw0BIAYgCikDAIV7IAcgCikDCIV7fKchDCAMIANNBEAgDCAIIAopAxCFeyAJIAopAxiFe3ynaiEMIAwgA00EQCAEIAUgDSALIAwQAyANQQFqIQ0LCyAKQSBqIQogC0EBaiELDAALCyANC58CAgR+CX8gBCkDACEIIAQpAwghCSAEKQMQIQogBCkDGCELA0AgBCAMQQF0ai8BACEOQQAhDQNAIAMgDiANQQF2c0ECdGohDyACIA8oAgBBAnRqIRAgAiAPKAIEQQJ0aiERAkADQCAQIBFPDQEgACAQKAIAQQV0aiESIAggEikDAIV7IAkgEikDCIV7fKchEyATIAVNBEAgEyAKIBIpAxCFeyALIBIpAxiFe3ynaiETIBMgBU0gEiAEIAwQAnEEQCAGIAcgFCAQKAIAIBMQAyAUQQFqIRQLCyAQQQRqIRAMAAsLIA0EfyANQQF0BUECCyENIA1BgIAETQ0ACyADQYSAEGohAyACIAFBAnRqIQIgDEEBaiEMIAxBEEkNAAsgFAtCAQF/IAAgAkEBdGohAwJAA0AgACADTw0BIAAvAQAgAS8BAHNpQQFNBEBBAA8LIABBAmohACABQQJqIQEMAAsLQQELIwAgAiABTwRADwsgACACQQN0aiEAIAAgAzYCACAAIAQ2AgQL';

export const CODE_BYTES = 32;
/** Codes per segment. A segment is scanned until it is full, then its buckets are built once. */
export const SEGMENT_CODES = 2 ** 18;
/** Maximum hits per search and segment. */
export const SEGMENT_HITS_MAX = 4096;

const BANDS = 16;
/** Two codes within this distance differ in at most one bit of at least one band (Norouzi, "Multi-Index Hashing"). */
export const BUCKETS_RADIUS_MAX = 2 * BANDS - 1;
const KEYS = 2 ** 16;
const STARTS = KEYS + 1;
const PAGE_BYTES = 65_536;

const OUT = CODE_BYTES;
const CODES = PAGE_BYTES;
const PLACES = CODES + SEGMENT_CODES * CODE_BYTES;
const TABLES = PLACES + BANDS * SEGMENT_CODES * 4;
const END = TABLES + BANDS * STARTS * 4;

interface Search {
  readonly scan: (...numbers: number[]) => number;
  readonly lookup: (...numbers: number[]) => number;
}

let compiled: WebAssembly.Module | undefined;

export interface PlacedHit {
  readonly place: number;
  readonly distance: number;
}

/** Up to SEGMENT_CODES codes in a separate memory, which the system allocates on use. */
export class CodeSegment {
  readonly #bytes: Uint8Array;
  readonly #search: Search;
  #count = 0;
  #hasBuckets = false;

  constructor() {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(END / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(Buffer.from(POPCOUNT_WASM_B64, 'base64'));
    const { exports } = new WebAssembly.Instance(compiled, { index: { memory } });
    this.#search = exports as unknown as Search;
    this.#bytes = new Uint8Array(memory.buffer);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === SEGMENT_CODES;
  }

  /** Bytes in use. */
  get memoryBytes(): number {
    return this.#hasBuckets ? END : PAGE_BYTES + this.#count * CODE_BYTES;
  }

  add(code: Uint8Array): void {
    this.#bytes.set(code, CODES + this.#count * CODE_BYTES);
    this.#count++;
    if (this.isFull) this.#makeBuckets();
  }

  /** The added codes, concatenated. */
  get codes(): Uint8Array {
    return this.#bytes.subarray(CODES, CODES + this.#count * CODE_BYTES);
  }

  /** Codes and buckets of a full segment in their memory layout: the input of `restore`. */
  get built(): Uint8Array {
    return this.#bytes.subarray(CODES, END);
  }

  /** @param fill writes the bytes of `built` into the given buffer */
  static restore(fill: (bytes: Uint8Array) => void): CodeSegment {
    const segment = new CodeSegment();
    fill(segment.built);
    segment.#count = SEGMENT_CODES;
    segment.#hasBuckets = true;
    return segment;
  }

  /**
   * Codes within `radius` bits of the query hash, at most SEGMENT_HITS_MAX.
   * @param radius above 31, which buckets do not cover, every code is compared
   * @param bare compares every code even if there are buckets
   */
  search(needle: Uint8Array, radius: number, bare = false): PlacedHit[] {
    this.#bytes.set(needle, 0);
    const usesBuckets = this.#hasBuckets && radius <= BUCKETS_RADIUS_MAX && !bare;
    const hits = usesBuckets
      ? this.#search.lookup(CODES, SEGMENT_CODES, PLACES, TABLES, 0, radius, OUT, SEGMENT_HITS_MAX)
      : this.#search.scan(CODES, this.#count, 0, radius, OUT, SEGMENT_HITS_MAX);
    const written = new Uint32Array(this.#bytes.buffer, OUT, 2 * Math.min(hits, SEGMENT_HITS_MAX));
    return Array.from({ length: written.length / 2 }, (_, at) => ({
      place: written[2 * at]!,
      distance: written[2 * at + 1]!,
    }));
  }

  /** Sorts the positions of all codes by each of their bands: one counting sort per band. */
  #makeBuckets(): void {
    const keys = new Uint16Array(this.#bytes.buffer, CODES, SEGMENT_CODES * BANDS);
    for (let band = 0; band < BANDS; band++) {
      const starts = new Uint32Array(this.#bytes.buffer, TABLES + band * STARTS * 4, STARTS);
      const places = new Uint32Array(this.#bytes.buffer, PLACES + band * SEGMENT_CODES * 4, SEGMENT_CODES);
      for (let at = band; at < keys.length; at += BANDS) starts[keys[at]! + 1]!++;
      for (let key = 0; key < KEYS; key++) starts[key + 1]! += starts[key]!;
      const next = starts.slice(0, KEYS);
      for (let place = 0; place < SEGMENT_CODES; place++) {
        const key = keys[place * BANDS + band]!;
        places[next[key]!] = place;
        next[key]!++;
      }
    }
    this.#hasBuckets = true;
  }
}
