import { setTimeout as sleep } from 'node:timers/promises';
import type { CleanupLogger } from '../../../core/cleanup/start_cleanup.ts';
import { PULL_LOOK_MS, PULL_RETRY_MS, PULL_RETRY_MS_MAX } from './limits.ts';
import type { Offer, Watch } from './types.ts';

type Name = Offer['name'];
/** waiting: for its turn, or for another server that has it. */
export type PullState = 'waiting' | 'running' | 'here' | 'failed';

/** What a server fetches in its background. */
export interface Background {
  /** Begins; once. */
  start(): void;
  /** How each is: `failed` ones are tried again later. */
  states(): Readonly<Record<string, PullState>>;
  /** How far those are that are being fetched, 0 to 1. */
  fractions(): Readonly<Record<string, number>>;
  /** Stops what runs, which goes on with the next start. */
  stop(): Promise<void>;
}

export interface Pulls {
  /** What is wanted, in the order it is fetched. */
  readonly wanted: readonly Name[];
  /** Which of them are here. */
  here(): Promise<ReadonlySet<string>>;
  /**
   * Makes this server the one that fetches it; undefined where another one does. What it answers lets go of it, for the next try after so
   * many milliseconds.
   */
  hold(name: Name, lost: () => void): Promise<((afterMs: number) => Promise<void>) | undefined>;
  /** Fetches one. `ok`: it is here now. */
  run(name: Name, watch: Watch): Promise<{ readonly ok: boolean; readonly said: string }>;
  readonly logger: CleanupLogger;
  readonly now?: () => number;
  /** Waits until it is time to look again. */
  readonly wait?: (signal: AbortSignal) => Promise<unknown>;
}

/** Progress is logged each time it passes another quarter. */
const LOGGED_STEP = 0.25;

/**
 * Fetches what is wanted and not here, one after the other, until all of it is. What fails is logged and tried again, after ten
 * minutes and then twice as long each time; nothing of it ends the server.
 */
export function pullInBackground({
  wanted,
  here,
  hold,
  run,
  logger,
  now = () => performance.now(),
  wait = (signal) => sleep(PULL_LOOK_MS, undefined, { signal, ref: false }),
}: Pulls): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const states = new Map<Name, PullState>(wanted.map((name) => [name, 'waiting']));
  const fractions = new Map<Name, number>();
  const failures = new Map<Name, { tries: number; dueAt: number }>();

  const pull = async (name: Name): Promise<void> => {
    const losing = new AbortController();
    const release = await hold(name, () => losing.abort());
    if (!release) return;
    // Another server may have fetched it between the look and the lock.
    if ((await here()).has(name)) {
      states.set(name, 'here');
      return release(0);
    }
    states.set(name, 'running');
    fractions.set(name, 0);
    let retryMs = 0;
    try {
      const { ok, said } = await run(name, {
        signal: AbortSignal.any([signal, losing.signal]),
        onProgress(fraction, said) {
          const before = fractions.get(name) ?? 0;
          fractions.set(name, Math.min(1, Math.max(0, fraction)));
          if (Math.floor(fraction / LOGGED_STEP) > Math.floor(before / LOGGED_STEP))
            logger.info({ name, fraction, said }, 'being fetched in the background');
        },
      });
      if (signal.aborted) return;
      if (!ok) throw new Error(said);
      failures.delete(name);
      states.set(name, 'here');
      logger.info({ name, said }, 'fetched in the background');
    } catch (error) {
      if (signal.aborted) return;
      const tries = (failures.get(name)?.tries ?? 0) + 1;
      retryMs = Math.min(PULL_RETRY_MS * 2 ** (tries - 1), PULL_RETRY_MS_MAX);
      failures.set(name, { tries, dueAt: now() + retryMs });
      states.set(name, 'failed');
      logger.error({ name, tries, retryMs, err: error }, 'could not be fetched in the background');
    } finally {
      fractions.delete(name);
      await release(retryMs);
    }
  };
  const look = async (): Promise<boolean> => {
    for (const name of wanted) {
      if (signal.aborted) return true;
      if ((await here()).has(name)) {
        states.set(name, 'here');
        failures.delete(name);
      } else if ((failures.get(name)?.dueAt ?? 0) <= now()) {
        await pull(name);
      }
    }
    const known = await here();
    for (const name of wanted) if (known.has(name)) states.set(name, 'here');
    return wanted.every((name) => known.has(name));
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const isDone = await look().catch((error: unknown) => {
        logger.error({ err: error }, 'what is to be fetched in the background cannot be looked up');
        return false;
      });
      if (isDone) return;
      await wait(signal).catch(() => {}); // stopped
    }
  };
  let working: Promise<void> | undefined;
  return {
    start: () => {
      working ??= work();
    },
    states: () => Object.fromEntries(states),
    fractions: () => Object.fromEntries(fractions),
    stop: async () => {
      stopping.abort();
      await working;
    },
  };
}
