import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { readEdition } from '../releases/edition_store.ts';
import { importWorks } from '../releases/import_works.ts';
import { loadStarter } from './load_starter.ts';

const TRIES = 50;
const WAIT_MS = 100;

/**
 * Publishes the starter catalogue as the first edition. Servers that begin at once on one database do it together: one
 * writes, the others wait for it. @throws AtelierError busy where the very first import runs meanwhile
 */
export async function installStarter(database: Database): Promise<void> {
  for (let tries = 1; (await readEdition(database)) === undefined; tries += 1) {
    try {
      await importWorks(
        database,
        async function* (report) {
          for (const record of await loadStarter()) {
            report.rows += 1;
            yield record;
          }
        },
        {
          museum: 'starter',
          source: 'the starter catalogue of this program',
          now: () => new Date(),
          signal: new AbortController().signal,
          onProgress() {},
        },
      );
    } catch (error) {
      if (!(error instanceof AtelierError && error.code === 'busy') || tries === TRIES) throw error;
      await wait(WAIT_MS);
    }
  }
}
