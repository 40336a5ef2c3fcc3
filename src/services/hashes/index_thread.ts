import { parentPort } from 'node:worker_threads';
import { CODE_BYTES } from '../../engines/hamming/code_segment.ts';
import { HammingIndex } from '../../engines/hamming/hamming_index.ts';

/** The thread the codes live in: searching tens of millions takes milliseconds, which the main thread has not. */

export type Room = 'pictures' | 'windows';

export type IndexRequest =
  | { readonly id: number; readonly add: readonly { number: number; codes: string }[] }
  | { readonly id: number; readonly search: Uint8Array; readonly room: Room; readonly radius: number }
  | { readonly id: number; readonly load: true };

export interface IndexLoad {
  readonly pictures: number;
  readonly windows: number;
  readonly memoryBytes: number;
}

/** A code of registration `number` near the needle at place `needle`. */
export interface CodeHit {
  readonly number: number;
  readonly needle: number;
  readonly distance: number;
}

const rooms: Record<Room, HammingIndex> = { pictures: new HammingIndex(), windows: new HammingIndex() };
const port = parentPort!;
port.on('message', (request: IndexRequest) => port.postMessage({ id: request.id, answer: answer(request) }));

function answer(request: IndexRequest): CodeHit[] | IndexLoad | undefined {
  if ('add' in request) return add(request.add);
  if ('load' in request) {
    const { pictures, windows } = rooms;
    const memoryBytes = pictures.memoryBytes + windows.memoryBytes;
    return { pictures: pictures.size, windows: windows.size, memoryBytes };
  }
  const { search, room, radius } = request;
  return needlesIn(search).flatMap((code, needle) =>
    rooms[room].search(code, radius).map(({ ref, distance }) => ({ number: ref, needle, distance })),
  );
}

/** The first code of a registration is its picture's, the others its windows'. */
function add(registrations: readonly { number: number; codes: string }[]): undefined {
  for (const { number, codes } of registrations) {
    const [picture, ...windows] = needlesIn(Buffer.from(codes, 'hex'));
    rooms.pictures.add(picture!, number);
    for (const window of windows) rooms.windows.add(window, number);
  }
}

function needlesIn(codes: Uint8Array): Uint8Array[] {
  return Array.from({ length: codes.length / CODE_BYTES }, (_, at) =>
    codes.subarray(at * CODE_BYTES, (at + 1) * CODE_BYTES),
  );
}
