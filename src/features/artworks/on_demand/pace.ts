import { MUSEUM_TURN_MS_MAX, MUSEUMS_PAUSE_MS } from '../limits.ts';

/** Requests to museums one after the other: those of one lane at its pace, all of them at a common one. */
export interface Pace {
  /** How long a request has to wait for its turn, which is then its own; undefined where that is too long. */
  take(lane: string, pauseMs: number): number | undefined;
}

/** @param now milliseconds of a clock that only grows */
export function createPace(now: () => number): Pace {
  const free = new Map<string, number>();
  return {
    take(lane, pauseMs) {
      const at = Math.max(now(), free.get('') ?? 0, free.get(lane) ?? 0);
      const waitMs = at - now();
      if (waitMs > MUSEUM_TURN_MS_MAX) return undefined;
      free.set('', at + MUSEUMS_PAUSE_MS);
      free.set(lane, at + pauseMs);
      return waitMs;
    },
  };
}
