import type { Leases } from '../cluster/leases/types.ts';

const INTERVAL_MS = 60_000;
/** Each server takes its rounds a little sooner or later, so that all of them get chores to do. */
const SPREAD = 0.2;

/** Something that tidies up after `now` and says how many things it removed. */
export type Chore = (now: Date) => Promise<number>;

export interface Chores {
  /** Those of the database and of stored bytes: one server does them for all. What is done twice at once does no harm. */
  readonly shared: Readonly<Record<string, Chore>>;
  /** Those every server does for itself: its folders, its counts. */
  readonly own: Readonly<Record<string, Chore>>;
}

export interface SweepLogger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface SweepingOptions {
  /** Decides who does the shared chores; absent: nobody else does. */
  readonly leases?: Leases | undefined;
  /** What time it is for all servers; absent: what it is here. */
  readonly clock?: (() => Promise<Date>) | undefined;
  readonly logger: SweepLogger;
  readonly intervalMs?: number;
}

/**
 * Runs every chore about once a minute, one after the other, never two rounds at once. A chore that fails is logged and tried
 * again in the next round. `stop` waits for the chore that is running.
 */
export function startSweeping(
  { shared, own }: Chores,
  { leases, clock = async () => new Date(), logger, intervalMs = INTERVAL_MS }: SweepingOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const rounds = [
    ...Object.entries(own),
    ...Object.entries(shared).map(
      ([name, run]) => [name, leases ? inTurn(name, run, { leases, intervalMs }) : run] as const,
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

/** Who holds this keeps every server from doing a shared chore. */
export const choreLease = (name: string): string => `chore ${name}`;

/** Nothing where another server does it, or has just done it. */
const inTurn =
  (name: string, run: Chore, { leases, intervalMs }: { leases: Leases; intervalMs: number }): Chore =>
  async (now) => {
    const letGo = await leases.hold(choreLease(name));
    if (!letGo) return 0;
    try {
      return await run(now);
    } finally {
      await letGo(intervalMs * (1 - SPREAD));
    }
  };

async function sweep(
  chores: readonly (readonly [string, Chore])[],
  {
    clock,
    logger,
    signal,
  }: Pick<Required<SweepingOptions>, 'logger'> & { clock(): Promise<Date>; signal: AbortSignal },
): Promise<void> {
  for (const [chore, run] of chores) {
    if (signal.aborted) return;
    try {
      const removed = await run(await clock());
      if (removed > 0) logger.info({ chore, removed }, 'swept');
    } catch (error) {
      logger.error({ chore, err: error }, 'a sweep failed');
    }
  }
}
