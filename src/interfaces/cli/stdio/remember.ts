import { REMEMBERED_MAX } from './limits.ts';

/** Adds an entry, and drops the oldest one above the limit. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > REMEMBERED_MAX) map.delete(map.keys().next().value!);
}
