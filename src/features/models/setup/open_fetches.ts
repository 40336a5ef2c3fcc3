import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import type { Leases } from '../../../core/cluster/leases/types.ts';
import type { Database } from '../../../core/database/types.ts';
import { MUSEUM_NAMES } from '../../artworks/museums/museums.ts';
import { fetchWhatIsAsked } from './fetch_what_is_asked.ts';
import { runSetup } from './run_setup.ts';

interface Parts {
  readonly database: Database;
  readonly leases: Leases;
  readonly logger: BaseLogger;
}

/** Fetches what operators ask for, from now on. */
export const openFetches = ({ DATA_DIR: dataDir }: Config, { database, leases, logger }: Parts) =>
  fetchWhatIsAsked({
    ...{ database, logger },
    async run(name, { signal, onProgress }) {
      const isMuseum = MUSEUM_NAMES.some((museum) => museum === name);
      const lost = new AbortController();
      const letGo = isMuseum
        ? await leases.hold(`museum ${name}`, () => lost.abort(), { evenIfDone: true })
        : async () => {};
      if (!letGo) return { ok: false, said: 'A server is fetching it in its background (MUSEUMS_PULL).' };
      try {
        const stop = AbortSignal.any([signal, lost.signal]);
        const { ok, said } = await runSetup(name, { dataDir, signal: stop, onProgress });
        // The command says more, to whoever may type it again.
        const [, why = said] = /NOT FETCHED: (.+)/.exec(said) ?? [];
        return { ok, said: ok ? said : why };
      } finally {
        await letGo();
      }
    },
  });
