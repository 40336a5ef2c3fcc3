import { BUCKETS_RADIUS_MAX, CODE_BYTES, SEGMENT_CODES } from './code_segment.ts';

/** join.wat, assembled; a test compares it with its source. WebAssembly counts bits in one instruction. */
export const JOIN_WASM_B64 =
  'AGFzbQEAAAABJwRgBX9/f39/AX9gDH9/f39/f39/f39/fwF/YAN/f38Bf2ADf39/AAIRAQV0YWJsZQZtZW1vcnkCAAEDBQQAAQIDBgYBfwFBAAsHGwMEaGl0cwMABmdhdGhlcgAAB2NvbXBhcmUAAQq+AwRgAQN/IAQhBiAAIAFBBXRqIQcCQANAIAAgB08NASAAIAJBAXRqLwEAIQUgBCAANgIAIARBASADIAVBA3ZqLQAAIAVBB3F2cUECdGohBCAAQSBqIQAMAAsLIAQgBmtBAnYL9QEBBX9BACQAAkADQCABIAJPDQEjACAGaiALSw0BIAAgAUECdGooAgAhDCAHIAwgBEEBdGovAQBBAnRqKAIAIQ0gDUH/H3EhDiAIIA1BDHZBAXRqIQ0gDSAOQQF0aiEOA0AgBSANLwEAQQV0aiEPIAwpAwAgDykDAIV7IAwpAwggDykDCIV7fKchECAQIAlNBEAgECAMKQMQIA8pAxCFeyAMKQMYIA8pAxiFe3ynaiEQIBAgCU0gDCAPIAQQAnEEQCAKIAwgA2tBBXYgDS8BACAQQRB0chADCwsgDUECaiENIA0gDkkNAAsgAUEBaiEBDAALCyABC0IBAX8gACACQQF0aiEDAkADQCAAIANPDQEgAC8BACABLwEAc2lBAU0EQEEADwsgAEECaiEAIAFBAmohAQwACwtBAQshACAAIwBBA3RqIQAgACABNgIAIAAgAjYCBCMAQQFqJAAL';

/** Maximum query hashes per search. */
export const NEEDLES_MAX = 2048;

const BANDS = 16;
const KEYS = 2 ** 16;
/** Codes copied at a time: with the queries and one band of the table they fit into the processor's L2 cache. */
const BLOCK_CODES = 1024;
const HITS_ROOM = 4 * NEEDLES_MAX;
const NEEDLE_TABLE_PAGE_BYTES = 65_536;
/** A head has the start of a key's queries above, and their number in the lower bits. */
const COUNT_BITS = 12;

const NEEDLES = 0;
const NEEDLE_TABLE_OUT = NEEDLES + NEEDLES_MAX * CODE_BYTES;
const CODES = NEEDLE_TABLE_OUT + HITS_ROOM * 8;
const LIST = CODES + BLOCK_CODES * CODE_BYTES;
/** The address after the last one is also written, but not counted. */
const MAPS = LIST + (BLOCK_CODES + 2) * 4;
const MAP_BYTES = KEYS / 8;
const HEADS = MAPS + BANDS * MAP_BYTES;
const ENTRIES = HEADS + BANDS * KEYS * 4;
/** Each query is in each band under its own key and the sixteen one bit away. */
const END = ENTRIES + NEEDLES_MAX * BANDS * 17 * 2;

interface Join {
  readonly gather: (...numbers: number[]) => number;
  readonly compare: (...numbers: number[]) => number;
  readonly hits: { readonly value: number };
}

/**
 * Inverted multi-index hashing: the queries are in buckets, and each code is compared once with all of them. Codes need no index, and with hundreds
 * of queries one pass costs less than a lookup per query in the buckets of millions of codes. Two codes at most 31 bits apart differ in at most one
 * bit of at least one of their sixteen 16-bit bands.
 */
class NeedleTable {
  readonly #bytes: Uint8Array;
  readonly #hits: Uint32Array;
  readonly #join: Join;
  #count = 0;
  #radius = 0;

  constructor() {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(END / NEEDLE_TABLE_PAGE_BYTES) });
    const module = new WebAssembly.Module(Buffer.from(JOIN_WASM_B64, 'base64'));
    this.#join = new WebAssembly.Instance(module, { table: { memory } }).exports as unknown as Join;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#hits = new Uint32Array(memory.buffer, NEEDLE_TABLE_OUT, 2 * HITS_ROOM);
  }

  get memoryBytes(): number {
    return this.#bytes.length;
  }

  /**
   * Replaces the queries.
   * @param needles 32 bytes each, concatenated, at most NEEDLES_MAX
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
   * Compares codes with the queries.
   * @param codes 32 bytes each
   * @param onHit called for every code within the radius of a query hash: its position, the query, the Hamming distance. Unordered within a block
   * @param onBlock called after each block, with the position up to which all hits have been reported
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
      done = compare(LIST, done, listed, CODES, band, ...table, this.#radius, NEEDLE_TABLE_OUT, HITS_ROOM);
      for (let at = 0; at < 2 * hits.value; at += 2) {
        onHit(first + out[at]!, out[at + 1]! & 0xffff, out[at + 1]! >>> 16);
      }
    }
  }
}

/** Calls `tell` for each slot (band and key, numbered consecutively) of each query. */
function eachSlot(keys: Uint16Array, tell: (slot: number, needle: number) => void): void {
  for (let at = 0; at < keys.length; at++) {
    const [needle, band] = [Math.floor(at / BANDS), (at % BANDS) * KEYS];
    tell(band + keys[at]!, needle);
    for (let bit = 0; bit < 16; bit++) tell(band + (keys[at]! ^ (1 << bit)), needle);
  }
}

/** scan.wat, assembled; a test compares it with its source. WebAssembly counts bits in one instruction. */
export const SCAN_WASM_B64 =
  'AGFzbQEAAAABCwFgB39/f39/f38AAhEBBWNvZGVzBm1lbW9yeQIAAQMCAQAGBgF/AUEACwcPAgRoaXRzAwAEc2NhbgAACsUCAcICAgR/C34gAykDACEOIAMpAwghDyADKQMgIRAgAykDKCERIAMpA0AhEiADKQNIIRMgAykDYCEUIAMpA2ghFUEAJAAgBUEBaq0hCyAAIAFBBXRqIQcCQANAIAEgAk8NASAHKQMAIQwgBykDCCENIAwgDoV7IA0gD4V7fCALfSAMIBCFeyANIBGFe3wgC32EIAwgEoV7IA0gE4V7fCALfYQgDCAUhXsgDSAVhXt8IAt9hEIAUwRAQQAhCCADIQkDQCAMIAkpAwCFeyANIAkpAwiFe3wgBykDECAJKQMQhXsgBykDGCAJKQMYhXt8fKchCiAKIAVNBEAgBiABNgIAIAYgCCAKQRB0cjYCBCAGQQhqIQYjAEEBaiQACyAJQSBqIQkgCEEBaiEIIAggBEkNAAsLIAdBIGohByABQQFqIQEMAAsLCw==';

/** Up to this many queries are compared with every code: building their buckets would cost more (decision 33). */
export const SCANNED_NEEDLES_MAX = 24;

/** Queries compared at once. */
const GROUP = 4;
/** Codes that are compared with all groups before the next part: they stay in the processor's L1 cache. */
const PART_CODES = 512;
const PAGE_BYTES = 65_536;
const OUT = SCANNED_NEEDLES_MAX * CODE_BYTES;

interface Scan {
  readonly scan: (...numbers: number[]) => void;
  readonly hits: { readonly value: number };
}

let compiled: WebAssembly.Module | undefined;

/** Codes in a separate memory, which the system allocates on use: scanned in place for a few queries. */
class ScannedCodes {
  /** 32 bytes per code. */
  readonly codes: Uint8Array;
  readonly #needles: Uint8Array;
  readonly #hits: Uint32Array;
  readonly #scan: Scan;

  /** @param room capacity in codes */
  constructor(room: number) {
    const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((room * CODE_BYTES) / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_WASM_B64, 'base64'));
    this.#scan = new WebAssembly.Instance(compiled, { codes: { memory } }).exports as unknown as Scan;
    this.codes = new Uint8Array(memory.buffer, PAGE_BYTES, room * CODE_BYTES);
    this.#needles = new Uint8Array(memory.buffer, 0, OUT);
    this.#hits = new Uint32Array(memory.buffer, OUT, 2 * GROUP * PART_CODES);
  }

  /**
   * Compares the first `count` codes with a few queries.
   * @param needles 32 bytes each, at most SCANNED_NEEDLES_MAX
   * @param onHit called for every code within the radius of a query hash: its position, the query, the Hamming distance. Unordered within a part
   * @param onPart called after each part, with the position up to which all hits have been reported
   */
  pass(
    count: number,
    needles: Uint8Array,
    radius: number,
    onHit: (place: number, needle: number, distance: number) => void,
    onPart: (end: number) => void,
  ): void {
    const { scan, hits } = this.#scan;
    const all = needles.length / CODE_BYTES;
    this.#needles.set(needles);
    for (let from = 0; from < count; from += PART_CODES) {
      const to = Math.min(count, from + PART_CODES);
      for (let first = 0; first < all; first += GROUP) {
        scan(PAGE_BYTES, from, to, first * CODE_BYTES, Math.min(GROUP, all - first), radius, OUT);
        for (let at = 0; at < 2 * hits.value; at += 2) {
          const hit = this.#hits[at + 1]!;
          onHit(this.#hits[at]!, first + (hit & 0xffff), hit >>> 16);
        }
      }
      onPart(to);
    }
  }
}

/** A run found by a search. */
export interface RunHit {
  /** The ref of the run. */
  readonly ref: number;
  /** Number of queries with a code of the run within the radius. */
  readonly needles: number;
  /** Smallest Hamming distance. */
  readonly distance: number;
}

/** Codes in insertion order, and the positions where a new ref starts. */
interface Segment {
  readonly room: ScannedCodes;
  count: number;
  readonly starts: number[];
  readonly refs: number[];
}

/**
 * Index of 256-bit codes in runs, one run per ref, for searches with hundreds of query hashes at once by Hamming distance: exact up to
 * BUCKETS_RADIUS_MAX. Codes can only be added and take 32 bytes each, without buckets: a search builds buckets of its queries and passes all codes
 * once. A few queries are compared with all codes.
 */
export class RunIndex {
  readonly #segments: Segment[] = [];
  #table: NeedleTable | undefined;

  get size(): number {
    return this.#segments.reduce((sum, { count }) => sum + count, 0);
  }

  /** Bytes in use. */
  get memoryBytes(): number {
    const runs = this.#segments.reduce((sum, { refs }) => sum + refs.length, 0);
    return this.size * CODE_BYTES + runs * 2 * 8 + (this.#table?.memoryBytes ?? 0);
  }

  /** @param ref any integer that a double represents exactly; codes of one ref are added consecutively */
  add(code: Uint8Array, ref: number): void {
    if (code.length !== CODE_BYTES)
      throw new RangeError(`a code has ${CODE_BYTES} bytes, not ${code.length}`);
    let segment = this.#segments.at(-1);
    if (!segment || segment.count === SEGMENT_CODES) {
      segment = emptySegment();
      this.#segments.push(segment);
    }
    segment.room.codes.set(code, segment.count * CODE_BYTES);
    addRef(segment, ref);
  }

  get segments(): number {
    return this.#segments.length;
  }

  /** Number of full segments, which are immutable: all, or all but the last. */
  get builtSegments(): number {
    return this.#segments.filter(({ count }) => count === SEGMENT_CODES).length;
  }

  /** Contents of segment `at`: concatenated codes, and the ref of each. */
  codesOf(at: number): { codes: Uint8Array; refs: Float64Array } {
    const { room, count, starts, refs } = this.#segments[at]!;
    const each = new Float64Array(count);
    for (const [run, ref] of refs.entries()) each.fill(ref, starts[run], starts[run + 1] ?? count);
    return { codes: room.codes.subarray(0, count * CODE_BYTES), refs: each };
  }

  /** Segment `at` in the form that `restore` takes. */
  segmentAt(at: number): { codes: Uint8Array; refs: Float64Array } {
    return this.codesOf(at);
  }

  /** Appends a full segment; all existing ones must be full. @param fill writes both parts of a `segmentAt` */
  restore(fill: (part: Uint8Array) => void): void {
    const segment = emptySegment();
    const refs = new Float64Array(SEGMENT_CODES);
    fill(segment.room.codes);
    fill(new Uint8Array(refs.buffer));
    for (const ref of refs) addRef(segment, ref);
    this.#segments.push(segment);
  }

  /** Drops all segments after the first `segments`. */
  truncate(segments: number): void {
    this.#segments.length = segments;
  }

  /**
   * Every run with a code within `radius` bits of a query, ordered by descending number of queries, then by ref.
   * @param needles 32 bytes each, concatenated, at most NEEDLES_MAX
   */
  search(needles: Uint8Array, radius = BUCKETS_RADIUS_MAX): RunHit[] {
    if (radius > BUCKETS_RADIUS_MAX) throw new RangeError(`the radius is at most ${BUCKETS_RADIUS_MAX}`);
    if (needles.length > NEEDLES_MAX * CODE_BYTES)
      throw new RangeError(`a search has at most ${NEEDLES_MAX} needles, not ${needles.length / CODE_BYTES}`);
    if (needles.length === 0) return [];
    const isFew = needles.length <= SCANNED_NEEDLES_MAX * CODE_BYTES;
    const table = isFew ? undefined : this.#tableOf(needles, radius);
    const runs = new RunsOfBlock(needles.length / CODE_BYTES);
    const onHit = runs.note.bind(runs);
    const onPart = runs.closeBefore.bind(runs);
    for (const segment of this.#segments) {
      runs.enter(segment);
      const { room, count } = segment;
      if (table) table.pass(room.codes.subarray(0, count * CODE_BYTES), onHit, onPart);
      else room.pass(count, needles, radius, onHit, onPart);
    }
    return runs.all().sort((one, other) => other.needles - one.needles || one.ref - other.ref);
  }

  #tableOf(needles: Uint8Array, radius: number): NeedleTable {
    this.#table ??= new NeedleTable();
    this.#table.fill(needles, radius);
    return this.#table;
  }
}

interface OpenRun {
  readonly seen: Uint8Array;
  needles: number;
  distance: number;
}

/** Aggregates hits, which are unordered within a block of codes, per run. */
class RunsOfBlock {
  readonly #needles: number;
  readonly #closed: RunHit[] = [];
  readonly #open = new Map<number, OpenRun>();
  #segment: Pick<Segment, 'starts' | 'refs' | 'count'> = { starts: [], refs: [], count: 0 };
  /** The run of the last hit and its position: the next hit is usually in the same run. */
  #last: { start: number; end: number; run: OpenRun } | undefined;

  constructor(needles: number) {
    this.#needles = needles;
  }

  enter(segment: Segment): void {
    this.#segment = segment;
    this.#last = undefined;
  }

  note(place: number, needle: number, distance: number): void {
    if (!this.#last || place < this.#last.start || place >= this.#last.end) this.#last = this.#runAt(place);
    const { run } = this.#last;
    if (run.seen[needle] === 0) {
      run.seen[needle] = 1;
      run.needles++;
    }
    if (distance < run.distance) run.distance = distance;
  }

  /** Closes all runs that end before `end`: the last one may continue in the next block or segment. */
  closeBefore(end: number): void {
    if (this.#open.size === 0) return;
    const { starts, refs } = this.#segment;
    this.#close(refs[runAt(starts, end - 1)]);
  }

  all(): RunHit[] {
    this.#close();
    return this.#closed;
  }

  #runAt(place: number): { start: number; end: number; run: OpenRun } {
    const { starts, refs, count } = this.#segment;
    const at = runAt(starts, place);
    const run = this.#open.get(refs[at]!) ?? {
      seen: new Uint8Array(this.#needles),
      needles: 0,
      distance: BUCKETS_RADIUS_MAX,
    };
    this.#open.set(refs[at]!, run);
    return { start: starts[at]!, end: starts[at + 1] ?? count, run };
  }

  #close(except?: number): void {
    this.#last = undefined;
    for (const [ref, { needles, distance }] of this.#open) {
      if (ref === except) continue;
      this.#closed.push({ ref, needles, distance });
      this.#open.delete(ref);
    }
  }
}

const emptySegment = (): Segment => ({
  room: new ScannedCodes(SEGMENT_CODES),
  count: 0,
  starts: [],
  refs: [],
});

/** Records the ref of the next code. */
function addRef(segment: Segment, ref: number): void {
  if (segment.refs.at(-1) !== ref) {
    segment.starts.push(segment.count);
    segment.refs.push(ref);
  }
  segment.count++;
}

/** Index of the run at a position: the last that starts at or before it. */
function runAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
