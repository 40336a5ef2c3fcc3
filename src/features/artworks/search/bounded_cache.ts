/** Values that were asked for lately, up to so many bytes; what was not asked for the longest goes first. */
export function createBoundedCache<T>(bytesMax: number, bytesOf: (value: T) => number) {
  /** What an entry costs beside its value. */
  const ENTRY_BYTES = 200;
  const kept = new Map<string, T>();
  let bytes = 0;
  const costOf = (name: string, value: T) => bytesOf(value) + name.length + ENTRY_BYTES;

  return {
    /** Values by name; those that are not kept are read together, and what cannot be read is `absent`. */
    async all(
      names: readonly string[],
      read: (missing: ReadonlySet<string>) => Promise<ReadonlyMap<string, T>>,
      absent: T,
    ): Promise<ReadonlyMap<string, T>> {
      const found = new Map<string, T>();
      const missing = new Set<string>();
      for (const name of names) {
        const value = kept.get(name);
        if (value === undefined) missing.add(name);
        else {
          found.set(name, value);
          kept.delete(name);
          kept.set(name, value);
        }
      }
      if (missing.size === 0) return found;
      const fresh = await read(missing);
      for (const name of missing) {
        const value = fresh.get(name) ?? absent;
        found.set(name, value);
        keep(name, value);
      }
      return found;
    },
  };

  function keep(name: string, value: T): void {
    const before = kept.get(name);
    if (before !== undefined) bytes -= costOf(name, before);
    kept.delete(name);
    kept.set(name, value);
    bytes += costOf(name, value);
    for (const [oldest, old] of kept) {
      if (bytes <= bytesMax) return;
      kept.delete(oldest);
      bytes -= costOf(oldest, old);
    }
  }
}
