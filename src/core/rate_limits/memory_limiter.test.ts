import { expect, test } from 'vitest';
import type { AtelierError } from '../errors/atelier_error.ts';
import { createMemoryLimiter } from './rate_limits.ts';

const POLICY = { name: 'test', calls: 3, perSeconds: 60 };

function limiterAt(start = 0) {
  const clock = { now: start };
  const limiter = createMemoryLimiter(() => clock.now);
  const take = (key = 'a') => limiter.take(POLICY, key);
  return { clock, limiter, take };
}

test('calls are allowed up to the limit of the policy', async () => {
  const { take } = limiterAt();
  const remaining = [await take(), await take(), await take()].map((state) => state.remaining);
  expect(remaining).toEqual([2, 1, 0]);
  await expect(take()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a refusal states when to retry', async () => {
  const { take, clock } = limiterAt();
  await Promise.all([take(), take(), take()]);
  clock.now = 20_000;
  const error = (await take().catch((refusal) => refusal)) as AtelierError;
  expect(error.details.retryAfterSeconds).toBe(61);
  expect(error.details.headers).toMatchObject({ RateLimit: '"test";r=0;t=61' });
});

test.each([0, 20_000, 59_999, 61_000])(
  'a client that retries at the stated time is admitted: first call at %i ms',
  async (asked) => {
    const { take, clock } = limiterAt();
    await Promise.all([take(), take(), take()]);
    clock.now = asked;
    const error = (await take().catch((refusal) => refusal)) as AtelierError;
    clock.now += 1000 * (error.details?.retryAfterSeconds ?? 0);
    await expect(take()).resolves.toMatchObject({ remaining: expect.any(Number) });
  },
);

test('callers are counted separately', async () => {
  const { take } = limiterAt();
  await Promise.all([take('a'), take('a'), take('a')]);
  expect((await take('b')).remaining).toBe(2);
});

test('the window slides: a burst at its end counts at the start of the next', async () => {
  const { take, clock } = limiterAt();
  await take();
  clock.now = 59_000;
  await Promise.all([take(), take()]);
  clock.now = 61_000;
  await expect(take()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('after two windows all calls are forgotten', async () => {
  const { take, clock } = limiterAt();
  await Promise.all([take(), take(), take()]);
  clock.now = 120_000;
  expect((await take()).remaining).toBe(2);
});

test('a refunded call does not count', async () => {
  const { take, limiter } = limiterAt();
  await Promise.all([take(), take(), take()]);
  await limiter.giveBack(POLICY, 'a');
  expect((await take()).remaining).toBe(0);
});

test.each([-86_400_000, 86_400_000])(
  'a wall clock changed by %i ms neither resets nor extends the limit',
  async (ms) => {
    const wallClock = Date.now;
    let setBy = 0;
    Date.now = () => wallClock() + setBy;
    try {
      const limiter = createMemoryLimiter();
      await limiter.take(POLICY, 'a');
      setBy = ms;
      expect((await limiter.take(POLICY, 'a')).remaining).toBe(1);
      expect((await limiter.take(POLICY, 'a')).resetSeconds).toBeLessThanOrEqual(60);
    } finally {
      Date.now = wallClock;
    }
  },
);
