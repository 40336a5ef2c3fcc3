import { randomUUID } from 'node:crypto';
import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import type { CleanupLogger } from '../../../core/cleanup/start_cleanup.ts';
import type { Leases } from '../../../core/cluster/leases/leases.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { MUSEUM_NAMES } from '../../artworks/museums/museums.ts';
import { leaveFetch, signFetch, takeFetch } from './fetch_store.ts';
import { FETCH_LOOK_MS } from './limits.ts';
import { runSetup } from './run_setup.ts';

interface FetchWhatIsAskedDeps {
  readonly database: Queryable;
  /** Downloads one. `ok`: it is installed; otherwise `said` is the reason. */
  run(name: string, watch: Watch): Promise<{ readonly ok: boolean; readonly said: string }>;
  readonly logger: CleanupLogger;
  /** Poll interval, for tests. */
  readonly lookMs?: number;
}

interface Watch {
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
}

/** Characters of a failure in the list: the end of its output. */
const SAID_CHARACTERS = 400;

/**
 * Polls for downloads requested by operators, and runs them. One that is running when the server stops waits for another server or the
 * next start.
 */
export function fetchWhatIsAsked({ database, run, logger, lookMs = FETCH_LOOK_MS }: FetchWhatIsAskedDeps) {
  const stopping = new AbortController();
  const holder = randomUUID();
  let working: Promise<void> | undefined;

  const fetchOne = async (name: string): Promise<void> => {
    const ending = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ending.signal]);
    const now = { fraction: 0, said: '' };
    const sign = setInterval(async () => {
      try {
        if (!(await signFetch(database, { name, holder, ...now }))) ending.abort();
      } catch {
        // If the database is unreachable, the next report retries; after a minute, another server may claim the download.
      }
    }, lookMs);
    try {
      const outcome = await run(name, {
        signal,
        onProgress: (fraction, message) =>
          void Object.assign(now, { fraction: Math.min(1, Math.max(0, fraction)), said: lastOf(message) }),
      }).catch((error: Error) => ({ ok: false, said: error.message }));
      const state = outcome.ok ? 'done' : stopping.signal.aborted ? 'waiting' : 'failed';
      await leaveFetch(database, { name, holder, state, said: lastOf(outcome.said) });
      logger.info({ name, state, said: outcome.said }, 'finished a download requested by an operator');
    } finally {
      clearInterval(sign);
    }
  };
  const look = async (): Promise<void> => {
    const name = await takeFetch(database, holder);
    if (name !== undefined) await fetchOne(name);
  };
  const timer = setInterval(() => {
    working ??= look()
      .catch((error: unknown) =>
        logger.error({ err: error }, 'failed to query the downloads requested by operators'),
      )
      .finally(() => {
        working = undefined;
      });
  }, lookMs).unref();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await working;
    },
  };
}

const lastOf = (text: string): string => text.trim().slice(-SAID_CHARACTERS);

interface FetchesDeps {
  readonly database: Database;
  readonly leases: Leases;
  readonly logger: BaseLogger;
}

/** Starts to run downloads requested by operators. */
export const openFetches = ({ DATA_DIR: dataDir }: Config, { database, leases, logger }: FetchesDeps) =>
  fetchWhatIsAsked({
    database,
    logger,
    async run(name, { signal, onProgress }) {
      const isMuseum = MUSEUM_NAMES.some((museum) => museum === name);
      const lost = new AbortController();
      const release = isMuseum
        ? await leases.hold(`museum ${name}`, () => lost.abort(), { evenIfDone: true })
        : async () => {};
      if (!release)
        return { ok: false, said: 'A server is downloading it in the background (MUSEUMS_PULL).' };
      try {
        const stop = AbortSignal.any([signal, lost.signal]);
        const { ok, said } = await runSetup(name, { dataDir, signal: stop, onProgress });
        // The rest of the output is for interactive use.
        const [, why = said] = /NOT FETCHED: (.+)/.exec(said) ?? [];
        return { ok, said: ok ? said : why };
      } finally {
        await release();
      }
    },
  });
