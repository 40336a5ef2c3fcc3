import { expect, test } from 'vitest';
import { cached } from './map_cache.ts';

test('a cached value is computed once and evicted after ten others', () => {
  let made = 0;
  const one = () => cached('one', () => (made += 1));
  one();
  one();
  expect(made).toBe(1);
  for (let other = 0; other < 10; other += 1) cached(`other ${other}`, () => other);
  one();
  expect(made).toBe(2);
});
