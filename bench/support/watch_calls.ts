import { parentPort, Worker, workerData } from 'node:worker_threads';

/** A request that is repeated. */
export interface WatchedCall {
  readonly name: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Pause between the end of a request and the start of the next. */
  readonly pauseMs: number;
}

/** Times of requests with status 200, in ms and ascending, and the number of others. */
export interface Watched {
  readonly times: number[];
  readonly refused: number;
}

/**
 * Sends requests from separate threads, so that the load of a benchmark does not affect their times.
 * @returns a function to call at the end
 */
export async function watchCalls(
  calls: readonly WatchedCall[],
): Promise<() => Promise<Map<string, Watched>>> {
  const workers = calls.map((call) => new Worker(new URL(import.meta.url), { workerData: call }));
  await Promise.all(workers.map((worker) => new Promise((begun) => worker.once('message', begun))));
  return async () => {
    const ended = workers.map((worker) => new Promise<Watched>((end) => worker.once('message', end)));
    for (const worker of workers) worker.postMessage('end');
    const watched = await Promise.all(ended);
    return new Map(calls.map(({ name }, at) => [name, watched[at]!]));
  };
}

async function watch({ url, method, headers, body, pauseMs }: WatchedCall): Promise<void> {
  const times: number[] = [];
  let refused = 0;
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
  });
  parentPort!.postMessage('begun');
  while (!isOver) {
    const began = performance.now();
    const isGood = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
      .then(async (response) => {
        const text = await response.text();
        if (response.status !== 200) console.error(`refused: ${response.status} ${text.slice(0, 300)}`);
        return response.status === 200;
      })
      .catch((error: Error) => {
        console.error(`refused: ${error.message} ${String(error.cause)}`);
        return false;
      });
    if (isGood) times.push(performance.now() - began);
    else refused += 1;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  parentPort!.postMessage({ times: times.sort((a, b) => a - b), refused } satisfies Watched);
  parentPort!.close();
}

if (parentPort) await watch(workerData as WatchedCall);
