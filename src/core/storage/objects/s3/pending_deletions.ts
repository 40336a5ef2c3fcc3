import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../../database/types.ts';
import { DELETING_SECONDS } from '../limits.ts';
import * as store from '../store.ts';
import { storageUnavailable } from './s3_failure.ts';

/**
 * Objects that are no longer referenced, shared by all servers of a database. An object store cannot delete conditionally, so the
 * process that deletes a name and a process that stores it again synchronise here. See
 * docs/decisions/0016-stored-bytes.md.
 */
export interface PendingDeletions {
  /** Condemns a name. True for one process once it has been condemned for long enough to be deleted. */
  claim(name: string): Promise<boolean>;
  /** Called when the claiming process is done. */
  forget(name: string): Promise<void>;
  /** Protects a name from deletion; waits for a deletion in progress. @throws AtelierError storage_unavailable */
  spare(name: string): Promise<void>;
}

const PAUSE_MS = 100;

/** Condemned names in the database. */
export function createPendingDeletions(database: Queryable): PendingDeletions {
  return {
    claim: (name) => store.claimCondemned(database, name),
    forget: (name) => store.forgetCondemned(database, name),
    async spare(name) {
      const end = performance.now() + 2 * DELETING_SECONDS * 1000;
      while (!(await store.spareCondemned(database, name))) {
        if (performance.now() > end) throw storageUnavailable(new Error(`${name} is being deleted`));
        await sleep(PAUSE_MS);
      }
    },
  };
}
