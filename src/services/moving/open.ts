import type { Config } from '../../config.ts';
import type { Move } from './contract.ts';
import { moveDatabase } from './move_database.ts';

/** A move from where a server kept things to where the settings say they are to be. */
export const openMove = ({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }: Config): Move => ({
  database: (options) => moveDatabase({ dataDir, databaseUrl }, options),
});
