import { parentPort, workerData } from 'node:worker_threads';
import { CODE_BYTES } from '@atelier/imaging/fingerprint/hamming/code_segment.ts';
import { HammingIndex } from '@atelier/imaging/fingerprint/hamming/hamming_index.ts';
import { type RunHit, RunIndex } from '@atelier/imaging/fingerprint/hamming/run_index.ts';
import { codeAt, type Segmented, SegmentFiles } from './segment_files.ts';
import type { CodePage, Room } from './store.ts';

/** The thread the codes live in: searching tens of millions takes milliseconds, which the main thread has not. */

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

/** The code of a picture, registration `number`, near the needle at place `needle`. */
export interface CodeHit {
  readonly number: number;
  readonly needle: number;
  readonly distance: number;
}

/** Some codes of one segment read from the disk, to be compared with the table. */
export type SegmentSamples = readonly { readonly number: number; readonly code: Uint8Array }[];

/** Up to where a room is filled. */
export interface Filled {
  /** The number of the last registration; 0 for none. */
  readonly number: number;
  /** How many codes of it are in; absent: all. */
  readonly codes?: number;
}

interface Shelf {
  readonly index: Segmented;
  readonly files: SegmentFiles | undefined;
}

const { folder } = workerData as { folder?: string };
/** One code a registration, asked for a few at a time: it can have buckets. */
const pictures = new HammingIndex();
/** About 32 codes a registration, asked for by hundreds: buckets would take three times their memory, and more time. */
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

/** Samples a segment: its first and last codes, and some between. */
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

/** Forgets what does not agree with the table, and says up to where the rest goes. */
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

/** @param skip codes of the first registration that are in already */
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
