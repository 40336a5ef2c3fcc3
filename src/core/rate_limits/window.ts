import type { Policy, RateState } from './types.ts';

/** Calls of one caller: those since `startedAt`, in ms of a clock that only grows, and those of the window before. */
export interface Window {
  readonly startedAt: number;
  readonly current: number;
  readonly previous: number;
}

/** The window as it is now: the same, the next, or a new one where nothing of it still counts. */
export function rollWindow<W extends Window>(
  window: W | undefined,
  { perSeconds }: Policy,
  now: number,
): W | Window {
  const lengthMs = perSeconds * 1000;
  if (!window || now - window.startedAt >= 2 * lengthMs) return { startedAt: now, current: 0, previous: 0 };
  if (now - window.startedAt < lengthMs) return window;
  return { startedAt: window.startedAt + lengthMs, current: 0, previous: window.current };
}

/** What is left: the window before counts by the share of it that still lies within reach. */
export function stateOf({ startedAt, current, previous }: Window, policy: Policy, now: number): RateState {
  const lengthMs = policy.perSeconds * 1000;
  const used = current + previous * (1 - (now - startedAt) / lengthMs);
  const resetSeconds = Math.max(1, Math.ceil((lengthMs - (now - startedAt)) / 1000));
  return { remaining: Math.max(0, Math.floor(policy.calls - used)), resetSeconds };
}

/**
 * In how many seconds one more call fits into a full window: calls of the window before fade while this one passes, then those of this
 * one in the next. A whole second more than computed at most, for rounding must not send anybody back too early.
 */
export function freeInSeconds(
  { startedAt, current, previous }: Window,
  { calls, perSeconds }: Policy,
  now: number,
): number {
  const room = calls - 1 - current;
  const windows = room >= 0 ? 1 - room / previous : 2 - (calls - 1) / current;
  return Math.floor(windows * perSeconds - (now - startedAt) / 1000) + 1;
}
