import { AtelierError } from '../errors/atelier_error.ts';
import type { QueueDeps } from './deps.ts';
import type { Takers } from './know_takers.ts';
import { JOB_LOOK_MS, JOB_PASSED_ON_MS } from './limits.ts';
import * as store from './run_store.ts';

/** Claims jobs, one slot each, until it is stopped. */
export interface Taking {
  /** Polls now instead of at the next interval. */
  wake(): void;
  /** Stops claiming. Running jobs continue. */
  stop(): Promise<void>;
}

interface Taker {
  readonly takers: Pick<Takers, 'left'>;
  /** Undefined: all tools. */
  readonly tools: readonly string[] | undefined;
  /** Runs one job to its end in this process. */
  run(row: store.ClaimedRow): Promise<'ended' | 'passed on'>;
}

/**
 * Claims the next job whenever a slot is free, and polls periodically. A failed poll is reported once and the next one follows, so
 * a lost connection does not end the loop. See docs/decisions/0108-workers.md.
 */
export function takeJobs(parts: QueueDeps, { tools, takers, run }: Taker): Taking {
  const running = new Map<string, string>();
  const passedOn = new Map<string, number>();
  const rests = restUntilWoken();
  let isStopping = false;
  let isAway = false;
  // After a database outage all heartbeats look stale: processes get the time to renew before their jobs are claimed.
  let takesOverFrom = 0;

  const look = async (): Promise<store.ClaimedRow | undefined> => {
    const now = performance.now();
    for (const [id, until] of passedOn) if (until <= now) passedOn.delete(id);
    try {
      const { limits, clock, database, leaseMs } = parts;
      const fullAddresses = addressesWith(limits.atOnceOfAddress, running.values());
      const but = [...running.keys(), ...passedOn.keys()];
      const mayTakeOver = now >= takesOverFrom;
      const wanted = { tools, excludedTools: takers.left(), fullAddresses, but, mayTakeOver };
      const row = await store.claim(database, wanted, { at: clock(), leaseMs });
      isAway = false;
      return row;
    } catch (error) {
      takesOverFrom = performance.now() + parts.leaseMs;
      if (!isAway) parts.report(error, { about: 'taking jobs' });
      isAway = error instanceof AtelierError && error.code === 'database_unavailable';
      return undefined;
    }
  };
  const begin = (row: store.ClaimedRow) => {
    running.set(row.id, row.address);
    void run(row).then((outcome) => {
      running.delete(row.id);
      if (outcome === 'passed on') passedOn.set(row.id, performance.now() + JOB_PASSED_ON_MS);
      rests.wake();
    });
  };
  const taking = (async () => {
    while (!isStopping) {
      const row = running.size < parts.limits.atOnce ? await look() : undefined;
      if (row) begin(row);
      else await rests.rest(JOB_LOOK_MS);
    }
  })();
  return {
    wake: rests.wake,
    async stop() {
      isStopping = true;
      rests.wake();
      await taking;
    },
  };
}

/** Addresses that occur this often. */
function addressesWith(times: number, addresses: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([address]) => address);
}

/** A wakeable sleep: a wake-up between two sleeps ends the next one at once. */
function restUntilWoken(): { rest(ms: number): Promise<void>; wake(): void } {
  let isWoken = false;
  let end = () => {};
  return {
    async rest(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        end = resolve;
        await promise;
        clearTimeout(timer);
      }
      isWoken = false;
    },
    wake() {
      isWoken = true;
      end();
    },
  };
}
