import type { Queryable } from '../database/types.ts';
import { POSITIONS_COUNTED_MAX, STATE_CACHE_MS, STATE_SHARE } from './limits.ts';
import * as store from './store.ts';

/** Position of a job in the queue: tools have rounds, and within a round jobs are ordered by position. */
export interface QueuePlace {
  /** Distance from the current round of its tool; 0 or less is next. */
  readonly round: number;
  /** Absent: behind all jobs of its round. */
  readonly position?: number;
}

export interface QueueState {
  /** Queued jobs, by tool. */
  waiting(): Promise<readonly store.WaitingTool[]>;
  /** Live jobs in total. */
  live(): Promise<number>;
  /** Queued jobs ahead of this place, estimated within its own round. */
  ahead(place: QueuePlace): Promise<number>;
}

/**
 * A summary of the queue, one row per tool and round. A short queue is read each time; a long one at most once a second, and less often if
 * reading would take more than 2 % of the time.
 */
export function createQueueState(database: Queryable): QueueState {
  let last:
    | { readonly rounds: readonly store.Round[]; readonly running: number; usedUntil: number }
    | undefined;
  let reading: Promise<NonNullable<typeof last>> | undefined;

  async function readNow() {
    const began = performance.now();
    const { rounds, running } = await store.readRounds(database);
    const now = performance.now();
    const isShort = sumOf(rounds) <= POSITIONS_COUNTED_MAX;
    last = {
      rounds,
      running,
      usedUntil: isShort ? 0 : now + Math.max(STATE_CACHE_MS, (now - began) / STATE_SHARE),
    };
    return last;
  }
  const read = async () => {
    if (last && performance.now() < last.usedUntil) return last;
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return {
    waiting: async () => {
      const { rounds } = await read();
      return [...Map.groupBy(rounds, ({ tool }) => tool)]
        .map(([tool, own]) => ({
          tool,
          count: sumOf(own),
          oldestSeconds: Math.max(...own.map(({ oldestSeconds }) => oldestSeconds)),
        }))
        .sort((one, other) => (one.tool < other.tool ? -1 : 1));
    },
    live: async () => {
      const { rounds, running } = await read();
      return running + sumOf(rounds);
    },
    ahead: async ({ round, position = Number.POSITIVE_INFINITY }) => {
      const { rounds } = await read();
      return Math.round(rounds.reduce((sum, other) => sum + countBefore(other, { round, position }), 0));
    },
  };
}

const sumOf = (rounds: readonly store.Round[]): number => rounds.reduce((sum, { count }) => sum + count, 0);

/** Assumes that positions of a round are evenly distributed between its first and its last. */
function countBefore(
  { round, count, first, last }: store.Round,
  own: { round: number; position: number },
): number {
  if (round !== own.round) return round < own.round ? count : 0;
  const share = (own.position - first) / (last - first + 1);
  return count * Math.min(1, Math.max(0, share));
}
