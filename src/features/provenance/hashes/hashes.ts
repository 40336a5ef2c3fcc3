import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { RunHit } from '@atelier/imaging/fingerprint/hamming/run_index.ts';
import { HASH_DISTANCE_MAX } from '../../../config/limits.ts';
import type { Database } from '../../../core/database/types.ts';
import type { CodeHit, Filled, IndexLoad, IndexRequest, SegmentSamples } from './index_thread.ts';
import * as store from './store.ts';
import { type Room, selectCodes, selectCodesOf, selectLast } from './store.ts';
import type { Hashes, Near, Sharing } from './types.ts';

/** Rows per read: an image has one code, and about 32 windows. */
const ROWS_AT_A_TIME: Record<Room, number> = { pictures: 20_000, windows: 1000 };
const ROOMS = Object.keys(ROWS_AT_A_TIME) as Room[];

/** Search index, derived from the database rows: it can be rebuilt at any time. */
interface CodeIndex {
  /** Images near any of the codes. Includes every registration that any server committed before the call. */
  near(codes: Uint8Array, radius: number): Promise<CodeHit[]>;
  /**
   * Registrations whose windows are near some of these, most shared windows first; the ref is their number.
   * As current as `near`.
   */
  sharing(windows: Uint8Array, radius: number): Promise<RunHit[]>;
  load(): Promise<IndexLoad>;
  /** True while the index is loading after a start; searches wait for it. */
  readonly isLoading: boolean;
  /** Starts loading, unless the table is empty. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Rows are numbered in commit order, so all new rows have numbers above the last one read.
 * @param folder cache for segments of the index; absent: no cache
 */
function createCodeIndex(database: Database, folder?: string): CodeIndex {
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
      // Segments restored from disk would duplicate the rows read from the table.
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
  /** Reads run one after the other, so that no row is added twice. */
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

/** Adds page after page and reports its progress after each. Reads the next page while the thread adds one. */
async function* fillTo(last: number, { database, thread, room }: Filling, { number, codes }: Filled) {
  const pageAfter = (after: number) => {
    const page = after < last ? selectCodes(database, room, after, ROWS_AT_A_TIME[room]) : undefined;
    // Awaited below, unless something else fails first.
    page?.catch(() => {});
    return page;
  };
  // A registration added partially is read again; it may have been rolled back since.
  let page = await pageAfter(codes === undefined ? number : number - 1);
  let read = number;
  while (page) {
    read = page.numbers.at(-1)!;
    const next = pageAfter(read);
    await thread.ask({ add: page, room, skip: page.numbers[0] === number ? (codes ?? 0) : 0 });
    yield { number: read } satisfies Filled;
    page = await next;
  }
  // All numbers up to the last one are committed; missing rows were rolled back.
  yield { number: Math.max(read, last) } satisfies Filled;
}

/** Restores cached segments as far as they agree with the table. They may be older than the table or belong to another one. */
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
 * Rows deleted since are missing; all others must be equal. A number above the last one belongs to a table that was restored to an earlier
 * state, and will be assigned again.
 */
function agrees(samples: SegmentSamples, rows: ReadonlyMap<number, Buffer>, last: number): boolean {
  const known = samples.filter(({ number }) => rows.has(number));
  return (
    known.length > 0 &&
    samples.every(({ number }) => number <= last) &&
    known.every(({ number, code }) => rows.get(number)!.includes(Buffer.from(code)))
  );
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

interface IndexClient {
  readonly isAlive: boolean;
  ask<Answer>(request: WithoutId<IndexRequest>): Promise<Answer>;
  stop(): Promise<unknown>;
}

/**
 * Starts the index thread. If it dies, its pending searches fail, and the next search starts another.
 * @param folder cache for full segments; absent: no cache
 */
function startIndexThread(folder: string | undefined): IndexClient {
  const worker = new Worker(new URL('./index_thread.ts', import.meta.url), { workerData: { folder } });
  worker.unref();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isAlive = true;
  const end = (cause?: Error) => {
    isAlive = false;
    for (const { reject } of waiting.values()) reject(new Error('The hash index has stopped.', { cause }));
    waiting.clear();
    worker.unref();
  };
  worker.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', end);
  worker.on('exit', () => end());
  return {
    get isAlive() {
      return isAlive;
    },
    ask<Answer>(request: WithoutId<IndexRequest>) {
      lastId += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(lastId, answer);
      worker.ref();
      worker.postMessage({ ...request, id: lastId });
      return answer.promise as Promise<Answer>;
    },
    stop: () => worker.terminate(),
  };
}

/** Registrations fetched per search. */
const MATCHES_MAX = 100;

interface Options {
  /** Cache folder for segments of the index; absent: no cache. */
  readonly folder?: string;
  /** Set only by tests. */
  readonly now?: () => Date;
}

export function createHashes(database: Database, { folder, now = () => new Date() }: Options = {}): Hashes {
  const index = createCodeIndex(database, folder);
  return {
    async register(picture) {
      const { wallet, sha256, hold } = picture;
      const earlier = () => (wallet === undefined ? undefined : store.selectOwn(database, wallet, sha256));
      const known =
        (await earlier()) ?? (await store.insert(database, newId(), picture, now())) ?? (await earlier())!;
      // A call repeated after a server crash finds its own registration.
      const isNew = 'number' in known || (hold !== undefined && known.hold === hold);
      return { registration: known.registration, isNew };
    },
    async registerWork(picture) {
      await store.insert(database, newId(), picture, now());
    },
    async paidBy(wallet, sha256) {
      const own = await store.selectOwn(database, wallet, sha256);
      return own?.hold === null ? own.registration : undefined;
    },
    ofFile: (sha256) => store.selectOfFile(database, sha256),
    find: (id) => store.selectById(database, id),
    async near(hashes, radius = HASH_DISTANCE_MAX) {
      const hits = await index.near(Buffer.concat(hashes), radius);
      const nearest = byNumber(hits).map(([number, own]) => ({ number, hit: own.reduce(nearerOf) }));
      nearest.sort((one, other) => one.hit.distance - other.hit.distance || one.number - other.number);
      const found = await withRows(database, nearest.slice(0, MATCHES_MAX));
      return found.map(
        ({ registration, hit }): Near => ({
          registration,
          distance: hit.distance,
          turn: hit.needle,
        }),
      );
    },
    async sharing(windows) {
      const hits = await index.sharing(windows, HASH_DISTANCE_MAX);
      const shared = hits.slice(0, MATCHES_MAX).map(({ ref, ...hit }) => ({ number: ref, hit }));
      const found = await withRows(database, shared);
      return found.map(
        ({ registration, hit }): Sharing => ({
          registration,
          shared: hit.needles,
          distance: hit.distance,
        }),
      );
    },
    load: () => index.load(),
    warm: () => index.warm(),
    get isLoading() {
      return index.isLoading;
    },
    close: () => index.close(),
  };
}

const newId = (): string => `hash_${randomBytes(12).toString('hex')}`;

const nearerOf = (one: CodeHit, other: CodeHit): CodeHit => (other.distance < one.distance ? other : one);

const byNumber = (hits: CodeHit[]): [number, CodeHit[]][] => [
  ...Map.groupBy(hits, ({ number }) => number).entries(),
];

/** Loads the registrations of the hits, without those deleted since. */
async function withRows<T extends { number: number }>(
  database: Database,
  found: T[],
): Promise<(T & Pick<store.Numbered, 'registration'>)[]> {
  const rows = await store.selectNumbers(
    database,
    found.map(({ number }) => number),
  );
  const registrations = new Map(rows.map(({ number, registration }) => [number, registration]));
  return found.flatMap((one) => {
    const registration = registrations.get(one.number);
    return registration ? [{ ...one, registration }] : [];
  });
}
