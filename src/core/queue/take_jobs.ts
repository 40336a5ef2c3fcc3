import { AtelierError } from '../errors/atelier_error.ts';
import type { QueueDeps } from './deps.ts';
import type { Takers } from './know_takers.ts';
import { JOB_LOOK_MS, JOB_PASSED_ON_MS } from './limits.ts';
import * as store from './run_store.ts';

/** Takes jobs, one place each, until it is stopped. */
export interface Taking {
  /** Looks for a job now instead of at the next look. */
  wake(): void;
  /** Takes no more. What runs goes on. */
  stop(): Promise<void>;
}

interface Taker {
  readonly takers: Pick<Takers, 'left'>;
  /** Undefined: of every tool. */
  readonly tools: readonly string[] | undefined;
  /** Runs one job to its end here, whatever that is. */
  run(row: store.ClaimedRow): Promise<'ended' | 'passed on'>;
}

/**
 * Looks for the job whose turn it is whenever there is a place, and now and then. A look that fails is reported once, and the next
 * one follows: no connection that breaks ends the looking. See docs/decisions/0108-workers.md.
 */
export function takeJobs(parts: QueueDeps, { tools, takers, run }: Taker): Taking {
  const running = new Map<string, string>();
  const passedOn = new Map<string, number>();
  const rests = restUntilWoken();
  let isStopping = false;
  let isAway = false;
  // A database that was away has heard from nobody: those it takes for dead get the time to say that they are not.
  let takesOverFrom = 0;

  const look = async (): Promise<store.ClaimedRow | undefined> => {
    const now = performance.now();
    for (const [id, until] of passedOn) if (until <= now) passedOn.delete(id);
    try {
      const { limits, clock, database, leaseMs } = parts;
      const fullAddresses = addressesWith(limits.atOnceOfAddress, running.values());
      const but = [...running.keys(), ...passedOn.keys()];
      const mayTakeOver = now >= takesOverFrom;
      const wanted = { tools, butTools: takers.left(), fullAddresses, but, mayTakeOver };
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

/** Those that stand in the list so often. */
function addressesWith(times: number, addresses: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([address]) => address);
}

/** A call between two rests ends the next one at once. */
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
