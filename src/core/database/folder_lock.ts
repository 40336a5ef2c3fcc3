import { join } from 'node:path';
import { holdLock, isHeld } from './process_lock.ts';

/** A live process has the folder. */
export class FolderInUse extends Error {}

const lockOf = (dataDir: string): string => join(dataDir, 'database.lock');

/** Whether a live process of this machine has the embedded database of `dataDir` open, or is opening or closing it. */
export const isFolderInUse = (dataDir: string): boolean => isHeld(lockOf(dataDir));

/**
 * Locks the embedded database in `dataDir` for this process: a second one would corrupt it. A lock whose process died is taken over.
 * Returns a function that releases the lock.
 * @throws FolderInUse naming the process that has the folder
 */
export const lockFolder = (dataDir: string): (() => void) =>
  holdLock(lockOf(dataDir), ({ pid, elsewhere }) =>
    elsewhere
      ? new FolderInUse(
          `Process ${pid} on ${elsewhere.host} has ${dataDir} open, and two processes would corrupt the database. Stop it. If it has already ended, start again in ${elsewhere.silenceMs / 1000} seconds.`,
        )
      : new FolderInUse(
          `Process ${pid} has ${dataDir} open, and two processes would corrupt the database. Stop it (kill ${pid}), or set another DATA_DIR, or share a PostgreSQL server through DATABASE_URL.`,
        ),
  );
