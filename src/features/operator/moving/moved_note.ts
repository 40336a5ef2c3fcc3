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
      'The database of this folder was moved to PostgreSQL. What is left here is as it was then; delete this file to use it again.\n',
    ),
  );

/** @throws Error where the embedded database of the folder was moved */
export function refuseMoved(dataDir: string): void {
  if (!existsSync(noteIn(dataDir))) return;
  throw new Error(
    `The database of DATA_DIR ${resolve(dataDir)} was moved to PostgreSQL, and what is left here is as it was then. Set DATABASE_URL to where it is now. To go back to what was then, delete ${noteIn(dataDir)}.`,
  );
}
