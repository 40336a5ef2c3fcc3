import type { Config } from '../../../config/config.ts';
import { openStore } from '../../../core/storage/objects/open.ts';
import { openData } from '../storage/open_data.ts';
import { moveDatabase } from './move_database.ts';
import { moveFiles } from './move_files.ts';
import type { Move } from './types.ts';

/** A move from where a server kept things to where the settings say they are to be. */
export const openMove = (config: Config): Move => ({
  database: (options) =>
    moveDatabase({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL }, options),
  files: (options) =>
    moveFiles(
      {
        dataDir: config.DATA_DIR,
        openDatabase: () => openData(config, { mayJoin: true }),
        openBucket: (database) => openStore(config, database),
      },
      options,
    ),
});
