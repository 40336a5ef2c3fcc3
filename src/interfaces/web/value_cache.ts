/** A small time-limited cache shared by all visitors; it holds the newest `max` values. */
export interface CachedValues<Value> {
  find(key: string): Value | undefined;
  keep(key: string, value: Value): void;
}

/** @param ms lifetime of a value */
export function createValueCache<Value>(
  { ms, max }: { readonly ms: number; readonly max: number },
  now: () => number = () => performance.now(),
): CachedValues<Value> {
  const kept = new Map<string, { readonly at: number; readonly value: Value }>();
  return {
    find(key) {
      const known = kept.get(key);
      return known && now() - known.at < ms ? known.value : undefined;
    },
    keep(key, value) {
      kept.delete(key);
      kept.set(key, { at: now(), value });
      // A map remembers the order in which its keys came.
      if (kept.size > max) kept.delete(kept.keys().next().value!);
    },
  };
}
