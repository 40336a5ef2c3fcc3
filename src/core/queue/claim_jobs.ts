import { AtelierError } from '../errors/atelier_error.ts';
import { JOB_HANDOFF_MS, JOB_POLL_MS } from './limits.ts';
import type { ClaimedRow, QueueDeps } from './types.ts';
import type { WorkerRegistry } from './worker_registry.ts';

/** Claims jobs, one slot each, until it is stopped. */
export interface JobClaimer {
  /** Polls now instead of at the next interval. */
  wake(): void;
  /** Stops claiming. Running jobs continue. */
  stop(): Promise<void>;
}

interface ClaimerDeps {
  readonly takers: Pick<WorkerRegistry, 'left'>;
  /** Undefined: all tools. */
  readonly tools: readonly string[] | undefined;
  /** Runs one job to its end in this process. */
  run(row: ClaimedRow): Promise<'ended' | 'passed on'>;
}

/**
 * Claims the next job whenever a slot is free, and polls periodically. A failed poll is reported if its cause differs from the previous
 * one, and polling continues, so a lost connection does not end the loop. See docs/decisions/0004-jobs-and-queue.md.
 */
export function claimJobs(parts: QueueDeps, { tools, takers, run }: ClaimerDeps): JobClaimer {
  const running = new Map<string, string>();
  const passedOn = new Map<string, number>();
  const rests = createWakeableSleep();
  let isStopping = false;
  /** Why the last poll failed. */
  let trouble: string | undefined;
  // After a database outage all heartbeats look stale: processes get the time to renew before their jobs are claimed.
  let takesOverFrom = 0;

  const look = async (): Promise<ClaimedRow | undefined> => {
    const now = performance.now();
    for (const [id, until] of passedOn) if (until <= now) passedOn.delete(id);
    try {
      const { limits, engine } = parts;
      const fullAddresses = addressesWith(limits.atOnceOfAddress, running.values());
      const but = [...running.keys(), ...passedOn.keys()];
      const mayTakeOver = now >= takesOverFrom;
      const row = await engine.claim({
        tools,
        excludedTools: takers.left(),
        fullAddresses,
        but,
        mayTakeOver,
      });
      trouble = undefined;
      return row;
    } catch (error) {
      takesOverFrom = performance.now() + parts.leaseMs;
      const found = error instanceof AtelierError ? error.code : String(error);
      if (found !== trouble) parts.report(error, { about: 'claiming jobs' });
      trouble = found;
      return undefined;
    }
  };
  const begin = (row: ClaimedRow) => {
    running.set(row.id, row.address);
    void run(row).then((outcome) => {
      running.delete(row.id);
      if (outcome === 'passed on') passedOn.set(row.id, performance.now() + JOB_HANDOFF_MS);
      rests.wake();
    });
  };
  const taking = (async () => {
    while (!isStopping) {
      const row = running.size < parts.limits.atOnce ? await look() : undefined;
      if (row) begin(row);
      else await rests.rest(JOB_POLL_MS);
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

/** Addresses that occur at least this often. */
function addressesWith(times: number, addresses: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= times).map(([address]) => address);
}

/** A wakeable sleep: a wake-up between two sleeps ends the next one at once. */
function createWakeableSleep(): { rest(ms: number): Promise<void>; wake(): void } {
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
