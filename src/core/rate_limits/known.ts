import type { AtelierError } from '../errors/atelier_error.ts';
import { rateLimited } from './rate_limited.ts';
import type { Policy, RateState } from './types.ts';
import { freeInSeconds, rollWindow, stateOf, type Window } from './window.ts';

/** What this process knows of one caller and one limit. */
export interface Known {
  readonly name: string;
  policy: Policy;
  /** As the database told it, by the clock of this process. */
  window: Window;
  /** When it did. */
  toldAt: number;
  /** Calls taken ahead that nobody has used yet, and how many were taken the last time. */
  ahead: number;
  lease: number;
  /** Until when somebody was refused in this window already. */
  isRepeatUntil: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  resolve(state: RateState): void;
  reject(error: unknown): void;
}

/** One of whom nothing is known yet. */
export const newCaller = (name: string, policy: Policy): Known => ({
  ...{ name, policy, ahead: 0, lease: 0, waiting: [], isRepeatUntil: Number.NEGATIVE_INFINITY },
  ...{ window: { startedAt: 0, current: 0, previous: 0 }, toldAt: Number.NEGATIVE_INFINITY },
});

/** What is left, with what was taken ahead. */
export function stateNow({ window, policy, ahead }: Known, now: number): RateState {
  const state = stateOf(rollWindow(window, policy, now), policy, now);
  return { ...state, remaining: state.remaining + ahead };
}

/** What a caller is told whose window is full. */
export function refusal(known: Known, now: number): AtelierError {
  const { window, policy } = known;
  const rolled = rollWindow(window, policy, now);
  const isRepeat = now < known.isRepeatUntil;
  known.isRepeatUntil = rolled.startedAt + policy.perSeconds * 1000;
  const state = { remaining: 0, resetSeconds: Math.max(1, freeInSeconds(rolled, policy, now)) };
  return rateLimited(policy, state, isRepeat);
}
