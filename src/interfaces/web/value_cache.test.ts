import { expect, test } from 'vitest';
import { createValueCache } from './value_cache.ts';

test('a value expires after its lifetime and is evicted by newer values', () => {
  let ms = 0;
  const kept = createValueCache<number>({ ms: 100, max: 2 }, () => ms);
  kept.keep('a', 1);
  kept.keep('b', 2);
  kept.keep('c', 3);
  expect(['a', 'b', 'c'].map(kept.find)).toEqual([undefined, 2, 3]);
  ms = 100;
  expect(kept.find('c')).toBe(undefined);
});
