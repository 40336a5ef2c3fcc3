import {
  FAILING_MS_MAX,
  PAUSE_MS,
  PAUSE_MS_MAX,
  RETRY_AFTER_MS,
  RETRY_AFTER_MS_MAX,
  RETRY_JITTER,
} from './limits.ts';
import type { Attempt } from './send_once.ts';

/** What follows from an attempt. */
export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly disableBecause?: string }
  | { readonly state: 'pending'; readonly dueAt: Date; readonly pausedUntil?: Date };

interface Made extends Attempt {
  /** 1 is the first. */
  readonly number: number;
  readonly at: Date;
  /** Since when nothing has arrived there; null where the last attempt did. */
  readonly failingSince: Date | null;
  /** 0 to 1. */
  readonly random: number;
}

/** Statuses of a receiver that has too much to do. */
const OVERLOADED = [429, 502, 503, 504];

/** Delivered with 2xx; given up after the last attempt of the schedule; else tried again, later where the receiver asks for it. */
export function afterAttempt({ status, pauseMs, number, at, failingSince, random }: Made): Verdict {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  if (status === 410)
    return { state: 'failed', disableBecause: 'it answered 410 Gone, which says that it wants no more' };
  const pause = RETRY_AFTER_MS[number - 1];
  if (pause === undefined) {
    const isDead = failingSince !== null && at.getTime() - failingSince.getTime() >= FAILING_MS_MAX;
    if (!isDead) return { state: 'failed' };
    return { state: 'failed', disableBecause: `nothing has arrived since ${failingSince.toISOString()}` };
  }
  const after = (ms: number) => new Date(at.getTime() + ms);
  const asked = Math.min(pauseMs ?? 0, RETRY_AFTER_MS_MAX);
  const dueAt = after(Math.max(pause * (1 + random * RETRY_JITTER), asked));
  if (!OVERLOADED.includes(status ?? 0)) return { state: 'pending', dueAt };
  return { state: 'pending', dueAt, pausedUntil: after(Math.min(pauseMs ?? PAUSE_MS, PAUSE_MS_MAX)) };
}
