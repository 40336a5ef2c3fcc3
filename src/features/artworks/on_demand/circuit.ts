import { MUSEUM_FAILURES_MAX, MUSEUM_REST_MS, MUSEUM_REST_MS_MAX } from '../limits.ts';

/** Leaves alone for a while what fails on end, longer each time. */
export interface Circuit {
  /** Until when it is left alone, in milliseconds of the clock; undefined: it may be asked. */
  restsUntil(lane: string): number | undefined;
  succeed(lane: string): void;
  /** @param pauseMs as it asked itself: then it is left alone at once */
  fail(lane: string, pauseMs?: number): void;
}

interface State {
  readonly failures: number;
  /** How often it has been left alone since it last answered. */
  readonly rests: number;
  readonly until: number;
}

const FINE: State = { failures: 0, rests: 0, until: 0 };

/** @param now milliseconds of a clock that only grows */
export function createCircuit(now: () => number): Circuit {
  const states = new Map<string, State>();
  return {
    restsUntil(lane) {
      const { until } = states.get(lane) ?? FINE;
      return until > now() ? until : undefined;
    },
    succeed: (lane) => void states.delete(lane),
    fail(lane, pauseMs) {
      const { failures: before, rests, until } = states.get(lane) ?? FINE;
      const failures = before + 1;
      // After a rest the first failure is enough.
      if (pauseMs === undefined && rests === 0 && failures < MUSEUM_FAILURES_MAX) {
        states.set(lane, { failures, rests, until });
        return;
      }
      const restMs = Math.min(MUSEUM_REST_MS_MAX, Math.max(pauseMs ?? 0, MUSEUM_REST_MS * 2 ** rests));
      states.set(lane, { failures, rests: rests + 1, until: now() + restMs });
    },
  };
}
