import type { Limiter, Policy, RateState } from './contract.ts';
import { rateLimited } from './rate_limited.ts';

const KEYS_MAX = 200_000;

interface Window {
  startedAt: number;
  current: number;
  previous: number;
  /** Somebody was refused in it already. */
  isTold?: boolean;
}

/**
 * Sliding-window counter: the last full window counts by the share of it that still lies within reach. Keeps two numbers
 * per caller and never more than 200,000 callers; the oldest are forgotten first.
 * @param now milliseconds that only ever grow: the clock of the wall may be set, and would free or lock out everybody
 */
export function createMemoryLimiter(now: () => number = () => performance.now()): Limiter {
  const windows = new Map<string, Window>();

  function windowFor(policy: Policy, callerKey: string): Window {
    const key = `${policy.name} ${callerKey}`;
    const window = rollWindow(windows.get(key), policy.perSeconds * 1000, now());
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > KEYS_MAX) windows.delete(windows.keys().next().value!);
    return window;
  }

  function stateNow(policy: Policy, window: Window): RateState {
    const state = stateOf(window, policy, now());
    if (state.remaining >= 1) return state;
    throw rateLimited(
      policy,
      { ...state, resetSeconds: freeInSeconds(window, policy, now()) },
      markTold(window),
    );
  }

  return {
    async look(policy, callerKey) {
      const known = windows.get(`${policy.name} ${callerKey}`);
      if (known) stateNow(policy, rollWindow(known, policy.perSeconds * 1000, now()));
    },
    async take(policy, callerKey) {
      const window = windowFor(policy, callerKey);
      const state = stateNow(policy, window);
      window.current += 1;
      return { ...state, remaining: state.remaining - 1 };
    },
    async giveBack(policy, callerKey) {
      const window = windowFor(policy, callerKey);
      window.current = Math.max(0, window.current - 1);
    },
  };
}

/** Whether it was told before that this window is full. */
function markTold(window: Window): boolean {
  const before = window.isTold ?? false;
  window.isTold = true;
  return before;
}

function rollWindow(window: Window | undefined, lengthMs: number, now: number): Window {
  if (!window || now - window.startedAt >= 2 * lengthMs) return { startedAt: now, current: 0, previous: 0 };
  if (now - window.startedAt < lengthMs) return window;
  return { startedAt: window.startedAt + lengthMs, current: 0, previous: window.current };
}

function stateOf(window: Window, policy: Policy, now: number): RateState {
  const lengthMs = policy.perSeconds * 1000;
  const elapsed = (now - window.startedAt) / lengthMs;
  const used = window.current + window.previous * (1 - elapsed);
  const resetSeconds = Math.max(1, Math.ceil((lengthMs - (now - window.startedAt)) / 1000));
  return { remaining: Math.max(0, Math.floor(policy.calls - used)), resetSeconds };
}

/**
 * When one more call fits: calls of the last window fade while this one passes, then those of this one in the next.
 * A whole second more than computed at most, for rounding must not send anybody back too early.
 */
function freeInSeconds(
  { startedAt, current, previous }: Window,
  { calls, perSeconds }: Policy,
  now: number,
): number {
  const room = calls - 1 - current;
  const windows = room >= 0 ? 1 - room / previous : 2 - (calls - 1) / current;
  return Math.floor(windows * perSeconds - (now - startedAt) / 1000) + 1;
}
