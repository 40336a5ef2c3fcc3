import { expect, test } from 'vitest';
import { createBuckets } from './cpu_budget.ts';

function given({ keysMax = 100 } = {}) {
  const clock = { now: 0 };
  const buckets = createBuckets({ keysMax, now: () => clock.now });
  const bucket = (key: string) => ({ key, capacity: 10, refill: 2 });
  return { clock, buckets, bucket };
}

test('a bucket refills at its rate up to its capacity, including from a negative level', () => {
  const { clock, buckets, bucket } = given();
  buckets.take(bucket('a'), 14);
  expect(buckets.level(bucket('a'))).toBe(-4);
  clock.now = 3000;
  expect(buckets.level(bucket('a'))).toBe(2);
  clock.now = 60_000;
  expect(buckets.level(bucket('a'))).toBe(10);
});

test('a refund fills a bucket up to its capacity, and a full bucket is deleted', () => {
  const { buckets, bucket } = given();
  buckets.take(bucket('a'), 3);
  buckets.take(bucket('a'), -5);
  expect(buckets.level(bucket('a'))).toBe(10);
  expect(buckets.entries()).toEqual([]);
});

test('beyond the key limit the oldest bucket is deleted, unless its level is negative', () => {
  const { buckets, bucket } = given({ keysMax: 3 });
  buckets.take(bucket('debtor'), 50);
  for (const key of ['a', 'b', 'c', 'd']) buckets.take(bucket(key), 1);
  expect(buckets.entries().map(({ bucket: { key } }) => key)).toEqual(
    expect.arrayContaining(['debtor', 'c', 'd']),
  );
  expect(buckets.level(bucket('a'))).toBe(10);
});

test('the number of keys is bounded even if all levels are negative', () => {
  const { buckets, bucket } = given({ keysMax: 3 });
  for (let key = 0; key < 50; key += 1) buckets.take(bucket(String(key)), 50);
  expect(buckets.entries()).toHaveLength(3);
});
