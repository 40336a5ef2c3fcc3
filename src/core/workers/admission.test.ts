import { availableParallelism } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import type { AtelierError } from '../errors/atelier_error.ts';
import { Admission, type AdmissionSettings, type Ask, fairQueueEntryOf } from './admission.ts';

const MEGA = 1_000_000;
afterEach(() => vi.useRealTimers());

/** Requests start, are refused or wait; `states` records which. */
function given(settings: Partial<AdmissionSettings> = {}) {
  const admission = new Admission({
    pixelsInFlightMax: 100 * MEGA,
    queueLengthMax: 4,
    deadlineMs: 60_000,
    callerShare: 0.75,
    ...settings,
  });
  const asks: Ask[] = [];
  const states: string[] = [];
  const errors: AtelierError[] = [];
  const enter = (address: string, megapixels: number, more: Partial<Ask> = {}): Ask => {
    const at = states.push('waits') - 1;
    const control = { address, pixels: megapixels * MEGA, signal: new AbortController().signal };
    const ask: Ask = {
      ...fairQueueEntryOf(control, megapixels),
      control,
      length: 'long',
      hasProcess: () => true,
      spentSeconds: () => 0,
      start: () => (states[at] = 'runs'),
      refuse(error) {
        states[at] = error.code;
        errors.push(error);
      },
      ...more,
    };
    asks.push(ask);
    admission.enter(ask);
    return ask;
  };
  const end = (ask: Ask) => admission.leave(ask);
  return { admission, states, errors, enter, end };
}

test('an address with running work leaves part of the pixel budget to other addresses', () => {
  const { states, enter } = given();
  for (const megapixels of [47, 47, 47]) enter('a', megapixels);
  enter('b', 40);
  expect(states).toEqual(['runs', 'waits', 'waits', 'runs']);
});

test('the last part of the pixel budget is reserved for small work', () => {
  const { states, enter } = given();
  enter('a', 50);
  enter('b', 45);
  enter('c', 8);
  expect(states).toEqual(['runs', 'waits', 'runs']);
});

test('large work waits for its turn and is not overtaken by other large work', () => {
  const { states, enter, end } = given();
  const first = enter('a', 60);
  enter('b', 60);
  enter('c', 30);
  enter('d', 2);
  expect(states).toEqual(['runs', 'waits', 'waits', 'runs']);
  end(first);
  expect(states).toEqual(['runs', 'runs', 'runs', 'runs']);
});

test('a single task may use the whole pixel budget', () => {
  const { states, enter } = given();
  enter('a', 100);
  expect(states).toEqual(['runs']);
  expect(() => enter('b', 101)).toThrow(expect.objectContaining({ code: 'image_too_large' }));
});

test('in a full queue, a new caller displaces the newest work of the largest caller', () => {
  const { states, enter } = given();
  enter('a', 100);
  for (const _ of [1, 2, 3, 4]) enter('a', 50);
  expect(states).toEqual(['runs', 'waits', 'waits', 'waits', 'waits']);
  enter('b', 50);
  expect(states).toEqual(['runs', 'waits', 'waits', 'waits', 'busy', 'waits']);
  enter('a', 50);
  expect(states.at(-1)).toBe('busy');
});

test('a canceled call frees its queue position', () => {
  const { states, enter, end } = given({ queueLengthMax: 1 });
  const first = enter('a', 100);
  end(enter('b', 60));
  enter('c', 60);
  end(first);
  expect(states).toEqual(['runs', 'waits', 'runs']);
});

test('no call waits longer than half the deadline', () => {
  vi.useFakeTimers();
  const { states, enter } = given();
  enter('a', 100);
  enter('b', 60);
  vi.advanceTimersByTime(29_000);
  expect(states).toEqual(['runs', 'waits']);
  vi.advanceTimersByTime(2_000);
  expect(states).toEqual(['runs', 'busy']);
});

test('a refusal states the queued work of the address and a retry time from CPU seconds ahead', () => {
  const { errors, enter } = given({ queueLengthMax: 1 });
  enter('a', 100);
  enter('a', 60);
  enter('a', 60);
  const seconds = Math.ceil((100 + 60) / availableParallelism());
  expect(errors[0]).toMatchObject({
    message: `Server at capacity. Your IP address has 2 queued requests. Retry in ${seconds} s.`,
    details: { retryAfterSeconds: seconds },
  });
});
