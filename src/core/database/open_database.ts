import { openEmbedded } from './embedded.ts';
import { FolderInUse } from './folder_lock.ts';
import { joinDatabase } from './join_database.ts';
import { migrate } from './migrate.ts';
import { shareDatabase } from './share_database.ts';
import type { DatabasePlace, ScriptableDatabase } from './types.ts';

/**
 * Opens PostgreSQL where `databaseUrl` names one, else the embedded database, and brings its tables up to date. Other processes
 * of the same user may join an embedded one while it is open here.
 * @throws Error when another live process has the folder, the server cannot be reached, or a migration does not apply
 */
export async function openDatabase(place: DatabasePlace): Promise<ScriptableDatabase> {
  const { dataDir, databaseUrl, mayJoin, isPatient } = place;
  if (databaseUrl) return migrateOrClose(await connect(databaseUrl, isPatient), place);
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

/** The client is loaded only where there is a server: reading it takes a tenth of a start. */
async function connect(databaseUrl: string, isPatient = false): Promise<ScriptableDatabase> {
  const { openPostgresql } = await import('./postgresql.ts');
  return openPostgresql(databaseUrl, isPatient ? { statementMs: 0 } : {});
}
