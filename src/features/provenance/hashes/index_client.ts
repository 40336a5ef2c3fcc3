import { Worker } from 'node:worker_threads';
import type { IndexRequest } from './index_thread.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export interface IndexClient {
  readonly isAlive: boolean;
  ask<Answer>(request: WithoutId<IndexRequest>): Promise<Answer>;
  stop(): Promise<unknown>;
}

/**
 * Starts the thread of the index. A thread that dies takes its questions with it; the next search starts another.
 * @param folder where built segments are kept; absent: nowhere
 */
export function startIndexThread(folder: string | undefined): IndexClient {
  const worker = new Worker(new URL('./index_thread.ts', import.meta.url), { workerData: { folder } });
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
