import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { prepareClusterFolder } from './cluster_folder.ts';
import { type Connection, runTransaction, type ScriptableDatabase } from './connection.ts';
import type { Reply, Request } from './embedded_worker.ts';
import { lockFolder } from './folder_lock.ts';

/**
 * PostgreSQL in WebAssembly, in a thread of its own. A statement costs one message there and one back.
 * It writes through the operating system without fsync: what it acknowledged survives kill -9, not a power cut.
 * @param dataDir folder that gets `database/` (mode 0700) and its lock; `memory` keeps everything in memory
 * @throws Error when another live process has the folder
 */
export async function openEmbedded(dataDir: string): Promise<ScriptableDatabase> {
  if (dataDir === 'memory') return connect(await startWorker(undefined), () => {});
  const folder = join(dataDir, 'database');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  try {
    prepareClusterFolder(folder);
    return connect(await startWorker(folder), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function connect(thread: Thread, unlock: () => void): ScriptableDatabase {
  const { connection, stop } = thread;
  /** Set while a transaction runs or waits: everything that comes later waits for its end. */
  let transactionEnd: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  return {
    kind: 'embedded',
    query: (text, values) =>
      transactionEnd
        ? transactionEnd.then(() => connection.query(text, values))
        : connection.query(text, values),
    async transaction(work) {
      const before = transactionEnd;
      const { promise, resolve } = Promise.withResolvers<void>();
      transactionEnd = promise;
      await before;
      try {
        return await runTransaction(connection, work);
      } finally {
        if (transactionEnd === promise) transactionEnd = undefined;
        resolve();
      }
    },
    close: () => {
      closing ??= Promise.resolve(transactionEnd).then(stop).finally(unlock);
      return closing;
    },
  };
}

interface Thread {
  readonly connection: Connection;
  /** Finishes what was asked, closes the files and ends the thread. */
  stop(): Promise<void>;
}

type Waiting = PromiseWithResolvers<unknown[]>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

async function startWorker(folder: string | undefined): Promise<Thread> {
  const worker = new Worker(new URL('./embedded_worker.ts', import.meta.url), { workerData: { folder } });
  const waiting = new Map<number, Waiting>();
  const opened: Waiting = Promise.withResolvers();
  waiting.set(0, opened);
  let lastId = 0;
  let ended: Error | undefined;

  const ask = (request: WithoutId<Request>): Promise<unknown[]> => {
    if (ended) return Promise.reject(ended);
    const answer: Waiting = Promise.withResolvers();
    lastId += 1;
    worker.postMessage({ ...request, id: lastId });
    waiting.set(lastId, answer);
    return answer.promise;
  };
  const end = (reason: Error) => {
    ended ??= reason;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (reply: Reply) => {
    const answer = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) answer?.reject(Object.assign(new Error(reply.error.message), reply.error));
    else answer?.resolve(reply.rows);
  });
  worker.on('error', (error) =>
    end(new Error(`The embedded database has stopped: ${error.message}`, { cause: error })),
  );
  worker.on('exit', () => end(new Error('The embedded database is closed.')));
  await opened.promise;
  return {
    connection: {
      query: (text, values = []) => ask({ text, values }) as Promise<never[]>,
      script: async (script) => void (await ask({ script })),
    },
    stop: async () => {
      await ask({ close: true });
      await worker.terminate();
    },
  };
}
