import { expect, test } from 'vitest';
import { RETRY_AFTER_MS } from './limits.ts';
import { afterAttempt } from './service.ts';

const at = new Date('2026-11-21T10:00:00Z');
const given = (made: Partial<Parameters<typeof afterAttempt>[0]>) =>
  afterAttempt({ status: 500, error: null, ms: 5, number: 1, at, failingSince: null, random: 0, ...made });
const later = (ms: number) => new Date(at.getTime() + ms);

test('any 2xx status counts as delivered, and no other does', () => {
  const states = [200, 204, 299, 199, 301, 308, 400, 404].map((status) => given({ status }).state);
  expect(states).toEqual(['delivered', 'delivered', 'delivered', ...Array(5).fill('pending')]);
});

test('retry delays follow the schedule with at most ten percent jitter', () => {
  const due = (number: number, random: number) => given({ number, random });
  for (const [index, pause] of RETRY_AFTER_MS.entries()) {
    expect(due(index + 1, 0)).toEqual({ state: 'pending', dueAt: later(pause) });
    expect(due(index + 1, 1)).toEqual({ state: 'pending', dueAt: later(pause * 1.1) });
  }
});

test('the delivery fails after the last attempt; an endpoint unreachable for days is disabled', () => {
  const number = RETRY_AFTER_MS.length + 1;
  expect(given({ number, failingSince: later(-3_600_000) })).toEqual({ state: 'failed' });
  expect(given({ number, failingSince: later(-3 * 86_400_000) })).toMatchObject({
    disableBecause: 'no delivery has succeeded since 2026-11-18T10:00:00.000Z',
  });
});

test('410 fails the delivery and disables the endpoint immediately', () => {
  expect(given({ status: 410 })).toMatchObject({ state: 'failed', disableBecause: expect.any(String) });
});

test('Retry-After of a busy receiver is honoured, up to one day', () => {
  expect(given({ status: 429, pauseMs: 120_000 })).toEqual({
    state: 'pending',
    dueAt: later(120_000),
    pausedUntil: later(120_000),
  });
  expect(given({ status: 503 })).toEqual({
    state: 'pending',
    dueAt: later(5_000),
    pausedUntil: later(60_000),
  });
  expect(given({ status: 429, pauseMs: 1e12 })).toMatchObject({ dueAt: later(86_400_000) });
});
