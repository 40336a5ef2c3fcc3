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

test('as many calls as the policy says, then no more', async () => {
  const { take } = limiterAt();
  const remaining = [await take(), await take(), await take()].map((state) => state.remaining);
  expect(remaining).toEqual([2, 1, 0]);
  await expect(take()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a refusal says when to come back', async () => {
  const { take, clock } = limiterAt();
  await Promise.all([take(), take(), take()]);
  clock.now = 20_000;
  const error = (await take().catch((refusal) => refusal)) as AtelierError;
  expect(error.details.retryAfterSeconds).toBe(61);
  expect(error.details.headers).toMatchObject({ RateLimit: '"test";r=0;t=61' });
});

test.each([0, 20_000, 59_999, 61_000])(
  'who comes back when told is let in: asked at %i ms',
  async (asked) => {
    const { take, clock } = limiterAt();
    await Promise.all([take(), take(), take()]);
    clock.now = asked;
    const error = (await take().catch((refusal) => refusal)) as AtelierError;
    clock.now += 1000 * (error.details?.retryAfterSeconds ?? 0);
    await expect(take()).resolves.toMatchObject({ remaining: expect.any(Number) });
  },
);

test('callers are counted apart', async () => {
  const { take } = limiterAt();
  await Promise.all([take('a'), take('a'), take('a')]);
  expect((await take('b')).remaining).toBe(2);
});

test('the window slides: a burst at its end still counts at the next one’s start', async () => {
  const { take, clock } = limiterAt();
  await take();
  clock.now = 59_000;
  await Promise.all([take(), take()]);
  clock.now = 61_000;
  await expect(take()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('after two windows everything is forgotten', async () => {
  const { take, clock } = limiterAt();
  await Promise.all([take(), take(), take()]);
  clock.now = 120_000;
  expect((await take()).remaining).toBe(2);
});

test('a call given back does not count', async () => {
  const { take, limiter } = limiterAt();
  await Promise.all([take(), take(), take()]);
  await limiter.giveBack(POLICY, 'a');
  expect((await take()).remaining).toBe(0);
});

test.each([-86_400_000, 86_400_000])(
  'a clock that is set by %i ms neither frees nor locks out',
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
