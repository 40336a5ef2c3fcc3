import { join } from 'node:path';
import { holdLock } from './process_lock.ts';

/** A live process has the folder. */
export class FolderInUse extends Error {}

/**
 * Locks the embedded database in `dataDir` for this process: a second one would destroy it. A lock whose process died is taken
 * over. Returns a function that releases the lock.
 * @throws FolderInUse naming the process that has the folder
 */
export const lockFolder = (dataDir: string): (() => void) =>
  holdLock(join(dataDir, 'database.lock'), ({ pid, elsewhere }) =>
    elsewhere
      ? new FolderInUse(
          `Process ${pid} on ${elsewhere.host} has ${dataDir} open, and two processes would destroy the database. Stop it. If it is gone already, start again in ${elsewhere.silenceMs / 1000} seconds.`,
        )
      : new FolderInUse(
          `Process ${pid} has ${dataDir} open, and two processes would destroy the database. Stop it (kill ${pid}), or set another DATA_DIR, or share a PostgreSQL server through DATABASE_URL.`,
        ),
  );
