import type { Config } from '../../config.ts';
import type { ScriptableDatabase } from '../../database/contract.ts';
import { openDatabase } from '../../database/open.ts';
import { makeDataFolder } from '../blobs/data_folder.ts';
import { refuseMoved } from '../moving/moved_note.ts';

/**
 * What is kept, as every process that has it open needs it first. With `mayJoin`, also what a running server has open.
 * @throws Error saying what is wrong with the folder or database
 */
export async function openData(
  { DATA_DIR, DATABASE_URL }: Config,
  { mayJoin = false } = {},
): Promise<ScriptableDatabase> {
  makeDataFolder(DATA_DIR);
  if (!DATABASE_URL) refuseMoved(DATA_DIR);
  return openDatabase({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL, mayJoin });
}
