import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { CODE_BYTES, SEGMENT_CODES } from '@atelier/imaging/fingerprint/hamming/code_segment.ts';
import { HammingIndex } from '@atelier/imaging/fingerprint/hamming/hamming_index.ts';
import { type RunHit, RunIndex } from '@atelier/imaging/fingerprint/hamming/run_index.ts';
import type { CodePage, Room } from './store.ts';

/** Magic numbers: content and format version. A file with another one is rebuilt. */
const BUILT = {
  /** Codes, their buckets, and one ref per code. */
  buckets: 0x41_48_53_31,
  /** Codes, and one ref per code. */
  runs: 0x41_48_43_31,
};
const TAIL = 0x41_48_54_31;
/** Magic number, segment index, checksum of the previous segment, checksum of this one. */
const HEADER_BYTES = 16;
const REF_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Codes of the growing segment that may be missing from the files: a start reads them from the table. */
const TAIL_CODES_UNSAVED_MAX = 8192;

/** An index of segments, which are immutable once full. */
interface Segmented {
  readonly segments: number;
  /** Full segments: all, or all but the last. */
  readonly builtSegments: number;
  add(code: Uint8Array, ref: number): void;
  /** The codes of a segment and their refs. */
  codesOf(at: number): { codes: Uint8Array; refs: Float64Array };
  /** The stored parts of a full segment, for `restore`. */
  segmentAt(at: number): { codes: Uint8Array; refs: Float64Array };
  /**
   * Appends a full segment.
   * @param fill writes both parts of a `segmentAt`
   */
  restore(fill: (part: Uint8Array) => void): void;
  truncate(segments: number): void;
}

/**
 * Cache of an index on disk, so that a start loads segments instead of rebuilding them: one file per full segment, and one for the tail.
 * Each file has its own checksum and that of the previous full segment; files that do not match are rebuilt from the table. So writes need
 * no fsync: a checksum reveals a file torn by a power cut.
 */
class SegmentFiles {
  readonly #built: number;
  readonly #path: (at: number) => string;
  readonly #tailPath: string;
  /** Checksums of the full segments in use. */
  readonly #checksums: number[] = [];
  /** Number of codes in the tail file, and their segment. */
  #tail = { at: 0, count: 0 };

  /**
   * @param kept format of the segment files
   */
  constructor(folder: string, room: string, kept: keyof typeof BUILT) {
    this.#built = BUILT[kept];
    this.#path = (at) => join(folder, `${room}-${at}.segment`);
    this.#tailPath = join(folder, `${room}.tail`);
  }

  /** Loads as many valid segments as possible into an empty index. */
  restore(index: Segmented): void {
    while (this.#restore(index, this.#checksums.length));
    this.#restoreTail(index, this.#checksums.length);
  }

  #restore(index: Segmented, at: number): boolean {
    const read = readChecked(this.#path(at), [this.#built, at, this.#before(at)], (fill) =>
      index.restore(fill),
    );
    if (read === undefined) index.truncate(at);
    else this.#checksums.push(read.checksum);
    return read !== undefined;
  }

  #restoreTail(index: Segmented, at: number): void {
    const read = readChecked(this.#tailPath, [TAIL, at, this.#before(at)], (fill, bytes) => {
      const count = bytes / (CODE_BYTES + REF_BYTES);
      if (!Number.isInteger(count) || count >= SEGMENT_CODES) throw new RangeError(`${count} codes`);
      const [codes, refs] = [new Uint8Array(count * CODE_BYTES), new Float64Array(count)];
      fill(codes);
      fill(new Uint8Array(refs.buffer));
      return { codes, refs };
    });
    if (!read) return;
    const { codes, refs } = read.value;
    refs.forEach((ref, place) => void index.add(codeAt(codes, place), ref));
    this.#tail = { at, count: refs.length };
  }

  /** Writes the segments filled since. If the disk is full, the next start rebuilds them. */
  save(index: Segmented): void {
    for (let at = this.#checksums.length; at < index.builtSegments; at++) {
      const { codes, refs } = index.segmentAt(at);
      const checksum = write(this.#path(at), [this.#built, at, this.#before(at)], [codes, bytesOf(refs)]);
      if (checksum === undefined) return;
      this.#checksums.push(checksum);
    }
  }

  /** Writes the tail once enough codes have been added. */
  saveTail(index: Segmented): void {
    const at = index.builtSegments;
    if (at !== this.#checksums.length || at === index.segments) return;
    const { codes, refs } = index.codesOf(at);
    const kept = this.#tail.at === at ? this.#tail.count : 0;
    if (refs.length - kept < TAIL_CODES_UNSAVED_MAX) return;
    const checksum = write(this.#tailPath, [TAIL, at, this.#before(at)], [codes, bytesOf(refs)]);
    if (checksum !== undefined) this.#tail = { at, count: refs.length };
  }

  /** Drops all segments from this index on. */
  truncate(segments: number): void {
    for (let at = segments; at < this.#checksums.length; at++) rmSync(this.#path(at), { force: true });
    if (segments <= this.#checksums.length) this.#tail = { at: segments, count: 0 };
    this.#checksums.length = Math.min(segments, this.#checksums.length);
  }

  #before(at: number): number {
    return at === 0 ? 0 : this.#checksums[at - 1]!;
  }
}

const codeAt = (codes: Uint8Array, place: number): Uint8Array =>
  codes.subarray(place * CODE_BYTES, (place + 1) * CODE_BYTES);

const bytesOf = (refs: Float64Array): Uint8Array =>
  new Uint8Array(refs.buffer, refs.byteOffset, refs.byteLength);

/** Kind, place, and checksum of the segment before. */
type Label = readonly [number, number, number];

/**
 * Reads a file with this header.
 * @param take receives a function that fills a buffer with the next bytes, and the number of bytes
 * @returns the result of `take`; undefined where the file is missing or its checksum is wrong
 */
function readChecked<T>(
  path: string,
  label: Label,
  take: (fill: (part: Uint8Array) => void, bytes: number) => T,
): { value: T; checksum: number } | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const header = new Uint32Array(HEADER_BYTES / 4);
    let position = readWhole(file, new Uint8Array(header.buffer), 0);
    if (label.some((word, at) => word !== header[at])) return undefined;
    let checksum = 0;
    const fill = (part: Uint8Array) => {
      position += readWhole(file!, part, position);
      checksum = crc32(part, checksum);
    };
    const value = take(fill, fstatSync(file).size - HEADER_BYTES);
    return checksum === header[3] ? { value, checksum } : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * @throws Error where the file is too short
 */
function readWhole(file: number, into: Uint8Array, position: number): number {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, into.length - done, position + done);
    if (read === 0) throw new Error('the file is too short');
    done += read;
  }
  return into.length;
}

/**
 * Writes a file atomically.
 * @returns its checksum; undefined where the write failed, for example because the disk is full: the next start is then slower, but correct
 */
function write(path: string, label: Label, parts: readonly Uint8Array[]): number | undefined {
  const checksum = parts.reduce((sum, part) => crc32(part, sum), 0);
  const header = Uint32Array.of(...label, checksum);
  const temporary = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(temporary, 'w', 0o600);
    try {
      for (const part of [new Uint8Array(header.buffer), ...parts]) {
        for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
      }
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return checksum;
  } catch {
    rmSync(temporary, { force: true });
    return undefined;
  }
}

/** The thread that holds the codes: a search of tens of millions takes milliseconds, too long for the main thread. */

export type IndexRequest =
  | { readonly id: number; readonly restore: Room }
  | { readonly id: number; readonly keep: number; readonly room: Room }
  | { readonly id: number; readonly add: CodePage; readonly room: Room; readonly skip: number }
  | { readonly id: number; readonly saveTail: Room }
  | { readonly id: number; readonly near: Uint8Array; readonly radius: number }
  | { readonly id: number; readonly sharing: Uint8Array; readonly radius: number }
  | { readonly id: number; readonly load: true };

export interface IndexLoad {
  readonly pictures: number;
  readonly windows: number;
  readonly memoryBytes: number;
}

/** A hit: the code of registration `number`, near the query at index `needle`. */
export interface CodeHit {
  readonly number: number;
  readonly needle: number;
  readonly distance: number;
}

/** Sample codes of one segment loaded from disk, to compare with the table. */
export type SegmentSamples = readonly { readonly number: number; readonly code: Uint8Array }[];

/** Fill level of an index. */
export interface Filled {
  /** The number of the last registration; 0 for none. */
  readonly number: number;
  /** Number of its codes that are included; absent: all. */
  readonly codes?: number;
}

interface Shelf {
  readonly index: Segmented;
  readonly files: SegmentFiles | undefined;
}

const { folder } = workerData as { folder?: string };
/** One code per registration and few queries at a time, so buckets pay off. */
const pictures = new HammingIndex();
/** About 32 codes per registration and hundreds of queries at a time: buckets would take three times the memory and more time. */
const windows = new RunIndex();
const filesOf = (room: Room, kept: 'buckets' | 'runs') =>
  folder === undefined ? undefined : new SegmentFiles(folder, room, kept);
const rooms: Record<Room, Shelf> = {
  pictures: { index: pictures, files: filesOf('pictures', 'buckets') },
  windows: { index: windows, files: filesOf('windows', 'runs') },
};
const port = parentPort!;
port.on('message', (request: IndexRequest) => port.postMessage({ id: request.id, answer: answer(request) }));

type Answer = CodeHit[] | RunHit[] | IndexLoad | SegmentSamples[] | Filled | undefined;

function answer(request: IndexRequest): Answer {
  if ('restore' in request) return restoreSegments(rooms[request.restore]);
  if ('keep' in request) return keepSegments(rooms[request.room], request.keep);
  if ('add' in request) return add(rooms[request.room], request.add, request.skip);
  if ('saveTail' in request) {
    const { index, files } = rooms[request.saveTail];
    files?.saveTail(index);
    return undefined;
  }
  if ('load' in request) {
    const memoryBytes = pictures.memoryBytes + windows.memoryBytes;
    return { pictures: pictures.size, windows: windows.size, memoryBytes };
  }
  if ('sharing' in request) return windows.search(request.sharing, request.radius);
  return needlesIn(request.near).flatMap((code, needle) =>
    pictures.search(code, request.radius).map(({ ref, distance }) => ({ number: ref, needle, distance })),
  );
}

/** Samples per segment: its first and last codes, and some between. */
const SAMPLES = 8;

function restoreSegments({ index, files }: Shelf): SegmentSamples[] {
  files?.restore(index);
  return Array.from({ length: index.segments }, (_, at) => {
    const { codes, refs } = index.codesOf(at);
    return Array.from({ length: SAMPLES }, (_, sample) => {
      const place = Math.round((sample * (refs.length - 1)) / (SAMPLES - 1));
      return { number: refs[place]!, code: codeAt(codes, place).slice() };
    });
  });
}

/** Drops segments that do not match the table. Returns where to resume filling. */
function keepSegments({ index, files }: Shelf, segments: number): Filled {
  files?.truncate(segments);
  index.truncate(segments);
  if (segments === 0) return { number: 0 };
  const number = index.codesOf(segments - 1).refs.at(-1)!;
  let codes = 0;
  for (let at = segments - 1; at >= 0; at--) {
    const { refs } = index.codesOf(at);
    const others = refs.findLastIndex((ref) => ref !== number);
    codes += refs.length - 1 - others;
    if (others >= 0) break;
  }
  return { number, codes };
}

/**
 * @param skip codes of the first registration that are already included
 */
function add({ index, files }: Shelf, { numbers, counts, codes }: CodePage, skip: number): undefined {
  let from = 0;
  numbers.forEach((number, at) => {
    const to = from + counts[at]!;
    for (let place = from + (at === 0 ? skip : 0); place < to; place++)
      index.add(codeAt(codes, place), number);
    from = to;
  });
  files?.save(index);
}

function needlesIn(codes: Uint8Array): Uint8Array[] {
  return Array.from({ length: codes.length / CODE_BYTES }, (_, at) => codeAt(codes, at));
}
