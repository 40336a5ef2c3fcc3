import type { Database } from '../database/types.ts';
import { KEYS_MAX, WINDOWS_MAX } from './limits.ts';
import { type Limiter, type Policy, type RateState, rateLimited } from './rate_limited.ts';
import {
  createSharedLimiter,
  forgetWindows,
  freeInSeconds,
  rollWindow,
  stateOf,
  takeCalls,
  type Window,
} from './shared_limiter.ts';

/** Counts in the database if several servers may use it, otherwise in memory; with a cleanup of old windows and a close function. */
export function openLimiter(database: Database): {
  readonly limiter: Limiter;
  sweep(): Promise<number>;
  close(): Promise<void>;
} {
  const alone = createMemoryLimiter();
  if (database.kind === 'embedded') return { limiter: alone, sweep: async () => 0, close: async () => {} };
  const limiter = createSharedLimiter({ take: (asks) => takeCalls(database, asks), alone });
  return {
    limiter,
    sweep: () => forgetWindows(database, WINDOWS_MAX),
    close: () => limiter.close(),
  };
}

interface Counted extends Window {
  current: number;
  /** A request was already refused in this window. */
  isReported?: boolean;
}

/**
 * Sliding-window counter of one process. Stores two numbers per caller, for 200,000 callers at most; the oldest are dropped first.
 * @param now monotonic milliseconds: the system clock may be set, which would release or block every caller
 */
export function createMemoryLimiter(now: () => number = () => performance.now()): Limiter {
  const windows = new Map<string, Counted>();

  function windowFor(policy: Policy, callerKey: string): Counted {
    const key = `${policy.name} ${callerKey}`;
    const window = rollWindow(windows.get(key), policy, now());
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > KEYS_MAX) windows.delete(windows.keys().next().value!);
    return window;
  }

  function stateNow(policy: Policy, window: Counted): RateState {
    const state = stateOf(window, policy, now());
    if (state.remaining >= 1) return state;
    const isRepeat = window.isReported ?? false;
    window.isReported = true;
    throw rateLimited(policy, { ...state, resetSeconds: freeInSeconds(window, policy, now()) }, isRepeat);
  }

  return {
    async look(policy, callerKey) {
      const known = windows.get(`${policy.name} ${callerKey}`);
      if (known) stateNow(policy, rollWindow(known, policy, now()));
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
