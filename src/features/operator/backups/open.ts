import type { Config } from '../../../config/config.ts';
import { readProgram } from '../../../config/program.ts';
import { openDatabase } from '../../../core/database/open.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { isDiskFull } from '../../../core/storage/blobs/disk.ts';
import { openStore } from '../../../core/storage/objects/open.ts';
import { openData } from '../storage/open_data.ts';
import { checkBackup } from './check_backup.ts';
import { makeBackup } from './make_backup.ts';
import { openPlace } from './open_place.ts';
import { type RestorePlace, restoreBackup } from './restore_backup.ts';
import { previewRollback, rollBack } from './roll_back.ts';
import type { Backups } from './types.ts';

/** Backups of what the settings name, and the way back to there. */
export function openBackups(config: Config): Backups {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  const place: RestorePlace = {
    ...{ dataDir, databaseUrl },
    openPresent: () => openDatabase({ dataDir, databaseUrl, isPatient: true, isAsFound: true }),
    openStore: (database, folder) => openStore({ ...config, DATA_DIR: folder }, database),
  };
  return {
    make: async (target, options) =>
      sayingFull([target, dataDir], () =>
        makeBackup(
          {
            ...{ dataDir, version: readProgram().version },
            openDatabase: () => openData(config, { mayJoin: true, isPatient: true }),
            openBlobs: async (database: ScriptableDatabase) =>
              (await openStore(config, database)).objectsOf('blobs'),
          },
          openPlace(target, config),
          options,
        ),
      ),
    check: async (target, options) => checkBackup(openPlace(target, config), options),
    restore: async (target, options) =>
      sayingFull([dataDir], () => restoreBackup(place, openPlace(target, config), options)),
    previewRollback: (options) => previewRollback(place, options),
    rollBack: (options) => sayingFull([dataDir], () => rollBack(place, options)),
  };
}

/** @throws Error naming the folders whose disks need room, where one of them is full */
async function sayingFull<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    const where = folders.join(' or of ');
    throw new Error(`The disk of ${where} is full. Make room there, and give the same command again.`, {
      cause,
    });
  }
}
