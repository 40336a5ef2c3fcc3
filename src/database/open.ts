import type { DatabasePlace, ScriptableDatabase } from './contract.ts';
import { openEmbedded } from './embedded.ts';
import { FolderInUse } from './folder_lock.ts';
import { joinDatabase } from './join_database.ts';
import { migrate } from './migrate.ts';
import { shareDatabase } from './share_database.ts';

/**
 * Opens PostgreSQL where `databaseUrl` names one, else the embedded database, and brings its tables up to date. Other processes
 * of the same user may join an embedded one while it is open here.
 * @throws Error when another live process has the folder, the server cannot be reached, or a migration does not apply
 */
export async function openDatabase({
  dataDir,
  databaseUrl,
  mayJoin,
}: DatabasePlace): Promise<ScriptableDatabase> {
  if (databaseUrl) return migrateOrClose(await connect(databaseUrl));
  try {
    const database = await migrateOrClose(await openEmbedded(dataDir));
    return dataDir === 'memory' ? database : await shareDatabase(database, dataDir);
  } catch (error) {
    const joined = mayJoin && error instanceof FolderInUse ? await joinDatabase(dataDir) : undefined;
    if (!joined) throw error;
    return migrateOrClose(joined);
  }
}

async function migrateOrClose(database: ScriptableDatabase): Promise<ScriptableDatabase> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The client is loaded only where there is a server: reading it takes a tenth of a start. */
async function connect(databaseUrl: string): Promise<ScriptableDatabase> {
  const { openPostgresql } = await import('./postgresql.ts');
  return openPostgresql(databaseUrl);
}
