const CACHE_ENTRIES_MAX = 10;
const cache = new Map<string, unknown>();

/**
 * Caches a value that is the same for every artwork, such as the maps of a product in one view. Least recently used entries are evicted,
 * because the maps of one view take 5 to 20 MB.
 */
export function cached<Value>(key: string, compute: () => Value): Value {
  const value = cache.has(key) ? (cache.get(key) as Value) : compute();
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_ENTRIES_MAX) break;
    cache.delete(oldest);
  }
  return value;
}
