/**
 * Deduplicates concurrent runs: callers with the same key share the run in progress. The run itself must check for a stored result: a
 * caller that checked before the run would start a second one right after the first has stored its result.
 */
export function createSharedRuns<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, run) => {
    const under = running.get(key);
    if (under) return under;
    const started = run().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
