const KEPT_MAX = 10;
const kept = new Map<string, unknown>();

/**
 * What is the same for every artwork, such as the maps of a product in one view: made once and kept for the next picture. The ones used
 * last are kept, as one view of a product takes 5 to 20 MB.
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
