const INTERVAL_MS = 60_000;

/** Something that tidies up after `now` and says how many things it removed. */
export type Chore = (now: Date) => Promise<number>;

export interface SweepLogger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Runs every chore once a minute, one after the other, never two rounds at once. A chore that fails is logged and tried
 * again in the next round. `stop` waits for the round that is running.
 */
export function startSweeping(
  chores: Readonly<Record<string, Chore>>,
  logger: SweepLogger,
  intervalMs = INTERVAL_MS,
): { stop(): Promise<void> } {
  let round = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    round = sweep(chores, logger).finally(() => {
      busy = false;
    });
  }, intervalMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await round;
    },
  };
}

async function sweep(chores: Readonly<Record<string, Chore>>, logger: SweepLogger): Promise<void> {
  for (const [chore, run] of Object.entries(chores)) {
    try {
      const removed = await run(new Date());
      if (removed > 0) logger.info({ chore, removed }, 'swept');
    } catch (error) {
      logger.error({ chore, err: error }, 'a sweep failed');
    }
  }
}
