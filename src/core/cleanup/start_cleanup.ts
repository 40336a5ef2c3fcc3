import type { Leases } from '../cluster/leases/leases.ts';

const INTERVAL_MS = 60_000;
/** Random variation of the interval, so that the jobs are spread over all servers. */
const SPREAD = 0.2;

/** A maintenance job at `now`; returns the number of items removed. */
export type MaintenanceJob = (now: Date) => Promise<number>;

export interface MaintenanceJobs {
  /** Jobs on the database and stored bytes: one server runs them for all. Concurrent runs are harmless. */
  readonly shared: Readonly<Record<string, MaintenanceJob>>;
  /** Jobs of each server: its own folders and counters. */
  readonly own: Readonly<Record<string, MaintenanceJob>>;
}

export interface CleanupLogger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface CleanupOptions {
  /** Elects the server that runs the shared maintenance jobs. Default: this server runs them all. */
  readonly leases?: Leases | undefined;
  /** Shared clock of all servers; default: the local clock. */
  readonly clock?: (() => Promise<Date>) | undefined;
  readonly logger: CleanupLogger;
  readonly intervalMs?: number;
}

/**
 * Runs every maintenance job about once a minute, sequentially, never two rounds at once. A failed job is logged and retried in the
 * next round. `stop` waits for the running job.
 */
export function startCleanup(
  { shared, own }: MaintenanceJobs,
  { leases, clock = async () => new Date(), logger, intervalMs = INTERVAL_MS }: CleanupOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const rounds = [
    ...Object.entries(own),
    ...Object.entries(shared).map(
      ([name, run]) => [name, leases ? withLease(name, run, { leases, intervalMs }) : run] as const,
    ),
  ];
  let round = Promise.resolve();
  let timer: NodeJS.Timeout;
  const wait = () => {
    const ms = intervalMs * (1 - SPREAD / 2 + SPREAD * Math.random());
    timer = setTimeout(() => {
      round = sweep(rounds, { clock, logger, signal: stopping.signal }).finally(wait);
    }, ms).unref();
  };
  wait();
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await round;
      clearTimeout(timer);
    },
  };
}

/** Lease of a shared maintenance job. */
export const maintenanceLease = (name: string): string => `chore ${name}`;

/** Skips the job if another server runs it or has just run it. */
const withLease =
  (
    name: string,
    run: MaintenanceJob,
    { leases, intervalMs }: { leases: Leases; intervalMs: number },
  ): MaintenanceJob =>
  async (now) => {
    const release = await leases.hold(maintenanceLease(name));
    if (!release) return 0;
    try {
      return await run(now);
    } finally {
      await release(intervalMs * (1 - SPREAD));
    }
  };

async function sweep(
  chores: readonly (readonly [string, MaintenanceJob])[],
  {
    clock,
    logger,
    signal,
  }: Pick<Required<CleanupOptions>, 'logger'> & { clock(): Promise<Date>; signal: AbortSignal },
): Promise<void> {
  for (const [chore, run] of chores) {
    if (signal.aborted) return;
    try {
      const removed = await run(await clock());
      if (removed > 0) logger.info({ chore, removed }, 'maintenance job removed items');
    } catch (error) {
      logger.error({ chore, err: error }, 'a maintenance job failed');
    }
  }
}
