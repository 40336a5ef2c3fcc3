import { CODE_BYTES } from './code_segment.ts';
import { JOIN_WASM_B64 } from './join.ts';

/** Needles one search may have. */
export const NEEDLES_MAX = 2048;

const BANDS = 16;
const KEYS = 2 ** 16;
/** Codes copied in at a time: they, the needles and one band of the table fit into the processor's second cache. */
const BLOCK_CODES = 1024;
const HITS_ROOM = 4 * NEEDLES_MAX;
const PAGE_BYTES = 65_536;
/** In a head, where the needles of a key begin stands above how many there are. */
const COUNT_BITS = 12;

const NEEDLES = 0;
const OUT = NEEDLES + NEEDLES_MAX * CODE_BYTES;
const CODES = OUT + HITS_ROOM * 8;
const LIST = CODES + BLOCK_CODES * CODE_BYTES;
/** The address behind the last one is written, though it does not count. */
const MAPS = LIST + (BLOCK_CODES + 2) * 4;
const MAP_BYTES = KEYS / 8;
const HEADS = MAPS + BANDS * MAP_BYTES;
const ENTRIES = HEADS + BANDS * KEYS * 4;
/** Each needle stands in each band under its own key and the sixteen one bit away. */
const END = ENTRIES + NEEDLES_MAX * BANDS * 17 * 2;

interface Join {
  readonly gather: (...numbers: number[]) => number;
  readonly compare: (...numbers: number[]) => number;
  readonly hits: { readonly value: number };
}

/**
 * Multi-index hashing the other way round: the needles lie in buckets and the codes pass by, each once for all needles. The codes
 * need nothing but themselves, and with hundreds of needles one pass costs less than a look into the buckets of millions of codes
 * for each. Two codes at most 31 bits apart differ in at most one bit of at least one of their sixteen bands of 16 bits.
 */
export class NeedleTable {
  readonly #bytes: Uint8Array;
  readonly #hits: Uint32Array;
  readonly #join: Join;
  #count = 0;
  #radius = 0;

  constructor() {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(END / PAGE_BYTES) });
    const module = new WebAssembly.Module(Buffer.from(JOIN_WASM_B64, 'base64'));
    this.#join = new WebAssembly.Instance(module, { table: { memory } }).exports as unknown as Join;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#hits = new Uint32Array(memory.buffer, OUT, 2 * HITS_ROOM);
  }

  get memoryBytes(): number {
    return this.#bytes.length;
  }

  /**
   * Puts other needles in.
   * @param needles 32 bytes each, one after the other, at most NEEDLES_MAX
   * @param radius at most 31
   */
  fill(needles: Uint8Array, radius: number): void {
    this.#count = needles.length / CODE_BYTES;
    this.#radius = radius;
    this.#bytes.fill(0, MAPS, ENTRIES);
    this.#bytes.set(needles, NEEDLES);
    const { buffer } = this.#bytes;
    const keys = new Uint16Array(buffer, NEEDLES, this.#count * BANDS);
    const map = new Uint8Array(buffer, MAPS, HEADS - MAPS);
    const heads = new Uint32Array(buffer, HEADS, BANDS * KEYS);
    const entries = new Uint16Array(buffer, ENTRIES, (END - ENTRIES) / 2);
    eachSlot(keys, (slot) => {
      heads[slot]!++;
      map[slot >> 3]! |= 1 << (slot & 7);
    });
    let start = 0;
    for (let slot = 0; slot < heads.length; slot++) {
      const count = heads[slot]!;
      heads[slot] = start << COUNT_BITS;
      start += count;
    }
    eachSlot(keys, (slot, needle) => {
      const head = heads[slot]!;
      entries[(head >>> COUNT_BITS) + (head & (2 ** COUNT_BITS - 1))] = needle;
      heads[slot] = head + 1;
    });
  }

  /**
   * Compares codes with the needles.
   * @param codes 32 bytes each
   * @param onHit is told of every code within the radius of a needle: its place, the needle, the bits apart. Within a block the
   *   hits come in no order
   * @param onBlock is told after each block: up to which place all hits have been told
   */
  pass(
    codes: Uint8Array,
    onHit: (place: number, needle: number, distance: number) => void,
    onBlock?: (end: number) => void,
  ): void {
    const total = codes.length / CODE_BYTES;
    for (let first = 0; first < total; first += BLOCK_CODES) {
      const end = Math.min(total, first + BLOCK_CODES);
      this.#bytes.set(codes.subarray(first * CODE_BYTES, end * CODE_BYTES), CODES);
      for (let band = 0; band < BANDS; band++) this.#passBand(band, first, end - first, onHit);
      onBlock?.(end);
    }
  }

  #passBand(
    band: number,
    first: number,
    count: number,
    onHit: (place: number, needle: number, distance: number) => void,
  ): void {
    const { gather, compare, hits } = this.#join;
    const out = this.#hits;
    const listed = gather(CODES, count, band, MAPS + band * MAP_BYTES, LIST);
    const table = [NEEDLES, this.#count, HEADS + band * KEYS * 4, ENTRIES] as const;
    for (let done = 0; done < listed; ) {
      done = compare(LIST, done, listed, CODES, band, ...table, this.#radius, OUT, HITS_ROOM);
      for (let at = 0; at < 2 * hits.value; at += 2) {
        onHit(first + out[at]!, out[at + 1]! & 0xffff, out[at + 1]! >>> 16);
      }
    }
  }
}

/** Tells of every band and key, counted through, under which a needle stands. */
function eachSlot(keys: Uint16Array, tell: (slot: number, needle: number) => void): void {
  for (let at = 0; at < keys.length; at++) {
    const [needle, band] = [Math.floor(at / BANDS), (at % BANDS) * KEYS];
    tell(band + keys[at]!, needle);
    for (let bit = 0; bit < 16; bit++) tell(band + (keys[at]! ^ (1 << bit)), needle);
  }
}
