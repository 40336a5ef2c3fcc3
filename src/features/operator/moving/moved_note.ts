import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replaceFile } from '../../../core/storage/blobs/disk.ts';

/** Marker file in a data folder whose database has moved. */
const NOTE = 'database_moved';
const noteIn = (dataDir: string): string => join(resolve(dataDir), NOTE);

/** Marks the embedded database of this folder as moved, so that it is not opened by mistake. Its contents are unchanged. */
export const leaveNote = (dataDir: string): Promise<void> =>
  replaceFile(
    noteIn(dataDir),
    Buffer.from(
      'The database of this folder was moved to PostgreSQL. The data in it dates from the move. To use it again, delete this file.\n',
    ),
  );

/** @throws Error where the embedded database of the folder was moved */
export function refuseMoved(dataDir: string): void {
  if (!existsSync(noteIn(dataDir))) return;
  throw new Error(
    `The database of DATA_DIR ${resolve(dataDir)} was moved to PostgreSQL; the folder has the state at the time of the move. Set DATABASE_URL to the new database. To use the old state, delete ${noteIn(dataDir)}.`,
  );
}
