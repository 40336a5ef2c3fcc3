/** Values by name, limited by bytes: the least recently used are dropped first. */
export interface BoundedCache<T> {
  get(name: string): T | undefined;
  /** Sets or replaces a value. A value larger than the cache is not stored. */
  set(name: string, value: T): void;
}

/** Overhead of an entry. */
const ENTRY_BYTES = 200;

/** Creates a cache. @param bytesMax limit, including the overhead of entries @param bytesOf size of a value */
export function createBoundedCache<T>(bytesMax: number, bytesOf: (value: T) => number): BoundedCache<T> {
  const kept = new Map<string, T>();
  let bytes = 0;
  const costOf = (name: string, value: T) => bytesOf(value) + name.length + ENTRY_BYTES;
  const drop = (name: string): T | undefined => {
    const value = kept.get(name);
    if (value === undefined) return undefined;
    kept.delete(name);
    bytes -= costOf(name, value);
    return value;
  };
  const add = (name: string, value: T) => {
    kept.set(name, value);
    bytes += costOf(name, value);
  };
  return {
    get(name) {
      const value = drop(name);
      if (value !== undefined) add(name, value);
      return value;
    },
    set(name, value) {
      drop(name);
      add(name, value);
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax) return;
        drop(oldest);
      }
    },
  };
}
