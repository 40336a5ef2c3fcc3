import { openEmbedded } from './embedded.ts';
import { FolderInUse } from './folder_lock.ts';
import { joinDatabase } from './join_database.ts';
import { migrate } from './migrate.ts';
import { shareDatabase } from './share_database.ts';
import type { DatabasePlace, ScriptableDatabase } from './types.ts';

/**
 * Opens PostgreSQL if `databaseUrl` is set, otherwise the embedded database, and applies migrations. Other processes of the same user may
 * join an embedded database while it is open here.
 * @throws Error if another live process has the folder, the server is unreachable, or a migration fails
 */
export async function openDatabase(place: DatabasePlace): Promise<ScriptableDatabase> {
  const { dataDir, databaseUrl, mayJoin } = place;
  if (databaseUrl) return migrateOrClose(await connect(databaseUrl, place), place);
  try {
    const database = await migrateOrClose(await openEmbedded(dataDir), place);
    return dataDir === 'memory' ? database : await shareDatabase(database, dataDir);
  } catch (error) {
    const joined = mayJoin && error instanceof FolderInUse ? await joinDatabase(dataDir) : undefined;
    if (!joined) throw error;
    return migrateOrClose(joined, place);
  }
}

async function migrateOrClose(
  database: ScriptableDatabase,
  { isAsFound, beforeMigrating }: DatabasePlace,
): Promise<ScriptableDatabase> {
  if (isAsFound) return database;
  try {
    await migrate(database, undefined, { beforeChange: beforeMigrating });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Loads the client only if a server is configured: it takes a tenth of the start time. */
async function connect(
  databaseUrl: string,
  { isPatient, waitMs = 0 }: DatabasePlace,
): Promise<ScriptableDatabase> {
  const { openPostgresql } = await import('./postgresql.ts');
  return openPostgresql(databaseUrl, { waitMs, ...(isPatient && { statementMs: 0 }) });
}
