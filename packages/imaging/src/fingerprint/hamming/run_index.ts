import { CODE_BYTES, SEGMENT_CODES } from './code_segment.ts';
import { RADIUS_MAX } from './hamming_index.ts';
import { NEEDLES_MAX, NeedleTable } from './needle_table.ts';
import { SCANNED_NEEDLES_MAX, ScannedCodes } from './scanned_codes.ts';

/** What a search finds of one run. */
export interface RunHit {
  /** What was given with the codes of the run. */
  readonly ref: number;
  /** Of the needles so many have a code of the run within the radius. */
  readonly needles: number;
  /** The fewest bits in which one of them differs. */
  readonly distance: number;
}

/** Codes as they came, and where in them another ref begins. */
interface Segment {
  readonly room: ScannedCodes;
  count: number;
  readonly starts: number[];
  readonly refs: number[];
}

/**
 * 256-bit codes that come in runs, a run for each ref, and are searched by Hamming distance with hundreds of needles at once: exact
 * up to RADIUS_MAX, whatever the codes. Codes are only added. There are no buckets beside them: a search puts its needles into
 * some and passes all codes once, so that a code takes its 32 bytes and no more. A few needles are compared with all codes.
 */
export class RunIndex {
  readonly #segments: Segment[] = [];
  #table: NeedleTable | undefined;

  get size(): number {
    return this.#segments.reduce((sum, { count }) => sum + count, 0);
  }

  /** Bytes really in use. */
  get memoryBytes(): number {
    const runs = this.#segments.reduce((sum, { refs }) => sum + refs.length, 0);
    return this.size * CODE_BYTES + runs * 2 * 8 + (this.#table?.memoryBytes ?? 0);
  }

  /** @param ref any whole number that a float holds exactly; codes of the same ref are added one after the other */
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

  /** Segments that are full and never change again: all, or all but the last. */
  get builtSegments(): number {
    return this.#segments.filter(({ count }) => count === SEGMENT_CODES).length;
  }

  /** What has been added to segment `at`: codes one after the other, and for each its ref. */
  codesOf(at: number): { codes: Uint8Array; refs: Float64Array } {
    const { room, count, starts, refs } = this.#segments[at]!;
    const each = new Float64Array(count);
    for (const [run, ref] of refs.entries()) each.fill(ref, starts[run], starts[run + 1] ?? count);
    return { codes: room.codes.subarray(0, count * CODE_BYTES), refs: each };
  }

  /** Segment `at` as it can be kept and put back by `restore`. */
  segmentAt(at: number): { codes: Uint8Array; refs: Float64Array } {
    return this.codesOf(at);
  }

  /** Puts a full segment behind the others, all of which are full. @param fill writes both parts of a `segmentAt` */
  restore(fill: (part: Uint8Array) => void): void {
    const segment = emptySegment();
    const refs = new Float64Array(SEGMENT_CODES);
    fill(segment.room.codes);
    fill(new Uint8Array(refs.buffer));
    for (const ref of refs) addRef(segment, ref);
    this.#segments.push(segment);
  }

  /** Forgets all segments but the first so many. */
  truncate(segments: number): void {
    this.#segments.length = segments;
  }

  /**
   * Every run with a code within `radius` bits of a needle, those of most needles first and of equal ones the lowest ref.
   * @param needles 32 bytes each, one after the other, at most NEEDLES_MAX
   */
  search(needles: Uint8Array, radius = RADIUS_MAX): RunHit[] {
    if (radius > RADIUS_MAX) throw new RangeError(`the radius is at most ${RADIUS_MAX}`);
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

/** Collects hits that come in no order within a block of codes, and keeps of each run only what is asked for. */
class RunsOfBlock {
  readonly #needles: number;
  readonly #closed: RunHit[] = [];
  readonly #open = new Map<number, OpenRun>();
  #segment: Pick<Segment, 'starts' | 'refs' | 'count'> = { starts: [], refs: [], count: 0 };
  /** The run of the last hit, and where it lies: the next hit is mostly of the same. */
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

  /** All runs are whole that end before: the last one may go on in the next block, or the next segment. */
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
      distance: RADIUS_MAX,
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

/** Notes whose the next code is. */
function addRef(segment: Segment, ref: number): void {
  if (segment.refs.at(-1) !== ref) {
    segment.starts.push(segment.count);
    segment.refs.push(ref);
  }
  segment.count++;
}

/** Which run a place is in: the last that begins at or before it. */
function runAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
