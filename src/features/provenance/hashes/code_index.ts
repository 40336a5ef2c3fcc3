import type { RunHit } from '@atelier/imaging/fingerprint/hamming/run_index.ts';
import type { Database } from '../../../core/database/types.ts';
import { type IndexClient, startIndexThread } from './index_client.ts';
import type { CodeHit, Filled, IndexLoad, SegmentSamples } from './index_thread.ts';
import { type Room, selectCodes, selectCodesOf, selectLast } from './store.ts';

/** Rows read at a time: a picture has one code, and about 32 windows. */
const ROWS_AT_A_TIME: Record<Room, number> = { pictures: 20_000, windows: 1000 };
const ROOMS = Object.keys(ROWS_AT_A_TIME) as Room[];

/** What is searched. It is made of the rows of the database and follows them; losing it loses nothing. */
export interface CodeIndex {
  /** Pictures near any of some. Includes every registration that was committed when it is called, by whichever server. */
  near(codes: Uint8Array, radius: number): Promise<CodeHit[]>;
  /** Registrations that have windows near some of these, those with the most first; the ref is their number. Up to date as `near` is. */
  sharing(windows: Uint8Array, radius: number): Promise<RunHit[]>;
  load(): Promise<IndexLoad>;
  /** Whether it is still being filled after a start, which searches wait for. */
  readonly isLoading: boolean;
  /** Begins to fill it, if there is anything. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Rows are numbered in the order of their commits, so all that is new lies behind the last one read.
 * @param folder where built parts of the index are kept for the next start; absent: nowhere
 */
export function createCodeIndex(database: Database, folder?: string): CodeIndex {
  let thread: IndexClient | undefined;
  const filled: Record<Room, Filled> = { pictures: NOTHING, windows: NOTHING };
  let following: Promise<unknown> = Promise.resolve();
  let isLoading = false;
  let isClosed = false;

  const startThread = async (last: number): Promise<IndexClient> => {
    const fresh = startIndexThread(folder);
    try {
      for (const room of ROOMS) filled[room] = await restoreIndex(database, fresh, room, last);
      return fresh;
    } catch (error) {
      // What it has read from the disk would be read from the table again, beside it.
      await fresh.stop();
      throw error;
    }
  };
  const follow = async (): Promise<IndexClient> => {
    const last = await selectLast(database);
    if (!thread?.isAlive) {
      isLoading = true;
      thread = await startThread(last);
    }
    for (const room of ROOMS) {
      if (!isBehind(filled[room], last)) continue;
      for await (const place of fillTo(last, { database, thread, room }, filled[room])) {
        filled[room] = place;
        if (isClosed) break;
      }
      await thread.ask({ saveTail: room });
    }
    isLoading = false;
    return thread;
  };
  /** One reading after the other, so that no row is added twice. */
  const upToDate = (): Promise<IndexClient> => {
    const next = following.then(follow);
    following = next.catch(() => {});
    return next;
  };
  return {
    get isLoading() {
      return isLoading;
    },
    near: async (near, radius) => (await upToDate()).ask<CodeHit[]>({ near, radius }),
    sharing: async (sharing, radius) => (await upToDate()).ask<RunHit[]>({ sharing, radius }),
    load: async () => (await upToDate()).ask<IndexLoad>({ load: true }),
    async warm() {
      if ((await selectLast(database)) > 0) await upToDate();
    },
    async close() {
      isClosed = true;
      await following;
      await thread?.stop();
    },
  };
}

const NOTHING: Filled = { number: 0 };

const isBehind = ({ number, codes }: Filled, last: number): boolean => number < last || codes !== undefined;

interface Filling {
  readonly database: Database;
  readonly thread: IndexClient;
  readonly room: Room;
}

/** Puts in page after page, and says after each how far it is. While the thread takes one in, the next is read. */
async function* fillTo(last: number, { database, thread, room }: Filling, { number, codes }: Filled) {
  const pageAfter = (after: number) => {
    const page = after < last ? selectCodes(database, room, after, ROWS_AT_A_TIME[room]) : undefined;
    // It is waited for below, unless something else fails first.
    page?.catch(() => {});
    return page;
  };
  // A registration that is in by half is read again; it may have been undone since.
  let page = await pageAfter(codes === undefined ? number : number - 1);
  let read = number;
  while (page) {
    read = page.numbers.at(-1)!;
    const next = pageAfter(read);
    await thread.ask({ add: page, room, skip: page.numbers[0] === number ? (codes ?? 0) : 0 });
    yield { number: read } satisfies Filled;
    page = await next;
  }
  // Numbers up to the last one have all been committed; those without a row have been undone.
  yield { number: Math.max(read, last) } satisfies Filled;
}

/** Takes over what lies in the folder as far as it agrees with the table, which it may be older than, or not belong to. */
async function restoreIndex(
  database: Database,
  thread: IndexClient,
  room: Room,
  last: number,
): Promise<Filled> {
  const segments = await thread.ask<SegmentSamples[]>({ restore: room });
  const numbers = [...new Set(segments.flat().map(({ number }) => number))];
  const rows = numbers.length === 0 ? new Map() : await selectCodesOf(database, room, numbers);
  const wrong = segments.findIndex((samples) => !agrees(samples, rows, last));
  return thread.ask<Filled>({ keep: wrong < 0 ? segments.length : wrong, room });
}

/**
 * What has been undone since has no row; of the others none may differ. A number beyond the last one is of a table that was put
 * back to an earlier state, and will be given again.
 */
function agrees(samples: SegmentSamples, rows: ReadonlyMap<number, Buffer>, last: number): boolean {
  const known = samples.filter(({ number }) => rows.has(number));
  return (
    known.length > 0 &&
    samples.every(({ number }) => number <= last) &&
    known.every(({ number, code }) => rows.get(number)!.includes(Buffer.from(code)))
  );
}
