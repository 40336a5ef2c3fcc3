/**
 * Callers of one key share the run that is under way.
 * The run itself has to read what is stored: a caller that read it before would start a second run
 * right after the first has stored its result.
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
