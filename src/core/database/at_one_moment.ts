import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyCluster } from './copying/copy_cluster.ts';
import { writePlainly } from './copying/tables.ts';
import { openEmbedded } from './embedded.ts';
import { isJoined } from './join_database.ts';
import type { Queryable, ScriptableDatabase } from './types.ts';

/** Private copy beside the embedded database, while it is read. */
const COPY = 'database_copy';

/**
 * Runs `work` on a snapshot while servers keep writing. On PostgreSQL that is a transaction. For an embedded database that a server
 * has open it is a copy of its files, because a transaction in its only session would block all others.
 * @param database without a statement timeout, and not shared
 * @param dataDir has space for a second embedded database; one process at a time does this there
 */
export async function atOneMoment<T>(
  database: ScriptableDatabase,
  dataDir: string,
  work: (moment: Queryable) => Promise<T>,
): Promise<T> {
  if (!isJoined(database)) return readInTransaction(database, work);
  const folder = join(dataDir, COPY);
  await rm(folder, { recursive: true, force: true });
  try {
    await copyCluster(database, join(dataDir, 'database'), join(folder, 'database'));
    const copy = await openEmbedded(folder);
    try {
      return await readInTransaction(copy, work);
    } finally {
      await copy.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const readInTransaction = <T>(
  database: ScriptableDatabase,
  work: (moment: Queryable) => Promise<T>,
): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    await writePlainly(tx);
    return work(tx);
  });
