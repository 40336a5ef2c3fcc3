import { Worker } from 'node:worker_threads';
import type { Database } from '../../database/index.ts';
import type { CodeHit, IndexLoad, IndexRequest, Room } from './index_thread.ts';
import { selectCodes } from './store.ts';

/** Rows read at a time: about 2 kB each. */
const ROWS_AT_A_TIME = 500;

/** What is searched. It is made of the rows of the database and follows them; losing it loses nothing. */
export interface CodeIndex {
  /** Includes every registration that was committed when it is called, by whichever server. */
  search(room: Room, codes: Uint8Array, radius: number): Promise<CodeHit[]>;
  load(): Promise<IndexLoad>;
  close(): Promise<void>;
}

/** Rows are numbered in the order of their commits, so all that is new lies behind the last one read. */
export function createCodeIndex(database: Database): CodeIndex {
  let thread: IndexThread | undefined;
  let last = 0;
  let following: Promise<unknown> = Promise.resolve();

  const follow = async (): Promise<IndexThread> => {
    if (!thread?.isAlive) {
      thread = startThread();
      last = 0;
    }
    for (;;) {
      const rows = await selectCodes(database, last, ROWS_AT_A_TIME);
      if (rows.length === 0) return thread;
      await thread.ask({ add: rows });
      last = rows.at(-1)!.number;
    }
  };
  /** One reading after the other, so that no row is added twice. */
  const upToDate = (): Promise<IndexThread> => {
    const next = following.then(follow);
    following = next.catch(() => {});
    return next;
  };
  return {
    search: async (room, search, radius) =>
      (await upToDate()).ask({ search, room, radius }) as Promise<CodeHit[]>,
    load: async () => (await upToDate()).ask({ load: true }) as Promise<IndexLoad>,
    close: async () => {
      await following;
      await thread?.stop();
    },
  };
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

interface IndexThread {
  readonly isAlive: boolean;
  ask(request: WithoutId<IndexRequest>): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** A thread that dies takes its questions with it; the next search starts another. */
function startThread(): IndexThread {
  const worker = new Worker(new URL('./index_thread.ts', import.meta.url));
  worker.unref();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let isAlive = true;
  const end = (cause?: Error) => {
    isAlive = false;
    for (const { reject } of waiting.values())
      reject(new Error('The index of hashes has stopped.', { cause }));
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
    ask(request) {
      lastId += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(lastId, answer);
      worker.ref();
      worker.postMessage({ ...request, id: lastId });
      return answer.promise;
    },
    stop: () => worker.terminate(),
  };
}
