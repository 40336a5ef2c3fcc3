/**
 * Lets so many pieces of work run at once; the next wait in the order they came.
 * @throws Error where too many wait, and what `signal` is aborted with
 */
export function takeTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }) {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = async (signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= waitingMax) throw new Error('too many requests wait for it');
    const turn = Promise.withResolvers<void>();
    const leave = () => turn.reject(signal?.reason);
    waiting.add(turn.resolve);
    signal?.addEventListener('abort', leave);
    try {
      await turn.promise;
    } finally {
      waiting.delete(turn.resolve);
      signal?.removeEventListener('abort', leave);
    }
  };

  return async function run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await enter(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    }
  };
}
