import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { replaceFile } from '../../../core/storage/blobs/disk.ts';

/** Marker file in a data folder while a restore is in progress. */
const NOTE = 'restore_unfinished';
const noteIn = (dataDir: string): string => join(resolve(dataDir), NOTE);

/** Prevents servers from opening this folder. */
export const leaveUnfinishedNote = (dataDir: string): Promise<void> =>
  replaceFile(
    noteIn(dataDir),
    Buffer.from('A backup is being restored here. If the command was interrupted, run it again.\n'),
  );

export const removeUnfinishedNote = (dataDir: string): Promise<void> => rm(noteIn(dataDir), { force: true });

export const isUnfinished = (dataDir: string): boolean => existsSync(noteIn(dataDir));

/** @throws Error where a restore was interrupted */
export function refuseUnfinished(dataDir: string): void {
  if (!isUnfinished(dataDir)) return;
  throw new Error(
    `A restore into DATA_DIR ${resolve(dataDir)} was interrupted. Run the same command again: atelier restore, or atelier rollback.`,
  );
}
