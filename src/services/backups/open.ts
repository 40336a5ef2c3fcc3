import type { Config } from '../../config.ts';
import type { ScriptableDatabase } from '../../database/contract.ts';
import { openDatabase } from '../../database/open.ts';
import { openStore } from '../objects/open.ts';
import { openData } from '../storage/open.ts';
import { checkBackup } from './check_backup.ts';
import type { Backups } from './contract.ts';
import { makeBackup } from './make_backup.ts';
import { programVersion } from './program_version.ts';
import { type RestorePlace, restoreBackup } from './restore_backup.ts';
import { previewRollback, rollBack } from './roll_back.ts';

/** Backups of what the settings name, and the way back to there. */
export function openBackups(config: Config): Backups {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  const place: RestorePlace = {
    ...{ dataDir, databaseUrl },
    openPresent: () => openDatabase({ dataDir, databaseUrl, isPatient: true, isAsFound: true }),
    openStore: (database, folder) => openStore({ ...config, DATA_DIR: folder }, database),
  };
  return {
    make: (folder, options) =>
      makeBackup(
        {
          ...{ dataDir, version: programVersion() },
          openDatabase: () => openData(config, { mayJoin: true, isPatient: true }),
          openBlobs: (database: ScriptableDatabase) => openStore(config, database).objectsOf('blobs'),
        },
        folder,
        options,
      ),
    check: checkBackup,
    restore: (folder, options) => restoreBackup(place, folder, options),
    previewRollback: (options) => previewRollback(place, options),
    rollBack: (options) => rollBack(place, options),
  };
}
