const KEPT_MAX = 10;
const kept = new Map<string, unknown>();

/**
 * Caches a value that is the same for every artwork, such as the maps of a product in one view. Least recently used entries are evicted,
 * because the maps of one view take 5 to 20 MB.
 */
export function keep<Value>(key: string, make: () => Value): Value {
  const value = kept.has(key) ? (kept.get(key) as Value) : make();
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(oldest);
  }
  return value;
}
