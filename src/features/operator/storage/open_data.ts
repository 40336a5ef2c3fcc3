import type { Config } from '../../../config/config.ts';
import { readProgram } from '../../../config/program.ts';
import { DatabaseUnreadable } from '../../../core/database/embedded.ts';
import { isJoined } from '../../../core/database/join_database.ts';
import { DATABASE_START_MS } from '../../../core/database/limits.ts';
import { openDatabase } from '../../../core/database/open_database.ts';
import { isDatabaseDamage } from '../../../core/database/sql_error.ts';
import type { DatabasePlace, ScriptableDatabase } from '../../../core/database/types.ts';
import { makeDataFolder } from '../../../core/storage/blobs/data_folder.ts';
import { describeRecovery } from '../backups/describe_recovery.ts';
import { snapshotBeforeMigrating } from '../backups/snapshot_before_migrating.ts';
import { refuseUnfinished } from '../backups/unfinished_note.ts';
import { refuseMoved } from '../moving/moved_note.ts';

/**
 * Opens the database as every process does at start. With `mayJoin`, also the database that a running server has open. Before a
 * migration of a used database, takes a snapshot.
 * @throws Error saying what is wrong with the folder or database
 */
export async function openData(
  config: Config,
  options: Pick<DatabasePlace, 'mayJoin' | 'isPatient'> = {},
): Promise<ScriptableDatabase> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  makeDataFolder(dataDir);
  refuseUnfinished(dataDir);
  if (!databaseUrl) refuseMoved(dataDir);
  const beforeMigrating = (database: ScriptableDatabase) => keepSnapshot(config, database);
  // Commands fail at once: the operator can run them again.
  const waitMs = options.mayJoin ? 0 : DATABASE_START_MS;
  return openDatabase({ ...options, waitMs, dataDir, databaseUrl, beforeMigrating }).catch(
    async (error: unknown) => {
      if (databaseUrl || !isDamage(error)) throw error;
      throw new Error(`${(error as Error).message}\n${await describeRecovery(dataDir)}`, { cause: error });
    },
  );
}

/** Files that cannot be opened, or an invalid page found by a migration or its snapshot. */
const isDamage = (error: unknown): boolean => error instanceof DatabaseUnreadable || isDatabaseDamage(error);

/** A process that joins a shared database cannot migrate it, so it takes no snapshot. */
async function keepSnapshot(config: Config, database: ScriptableDatabase): Promise<void> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MIGRATION_SNAPSHOTS: keep } = config;
  if (keep === 0 || isJoined(database)) return;
  const place = { dataDir, keep, version: readProgram().version, freeBytesMin: config.DISK_FREE_MIN_BYTES };
  if (!databaseUrl) return snapshotBeforeMigrating(database, place);
  const patient = await openDatabase({ dataDir, databaseUrl, isPatient: true, isAsFound: true });
  try {
    await snapshotBeforeMigrating(patient, place);
  } finally {
    await patient.close();
  }
}
