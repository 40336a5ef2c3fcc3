import { accessSync, constants, existsSync, mkdirSync, type StatsFs, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDiskFull } from './disk.ts';

/** Below this no start is tried. */
const START_FREE_BYTES_MIN = 16 * 1024 * 1024;

type Space = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>;

/**
 * Makes the folder for everything the service keeps, one level at a time: Node's own way of making several at once never
 * ends where the system takes no folder, as in /proc. @throws Error saying what is wrong with it, or what to free
 */
export function makeDataFolder(path: string, look: (path: string) => Space = statfsSync): void {
  const folder = resolve(path);
  try {
    for (const missing of missingIn(folder)) mkdirSync(missing, { mode: 0o700 });
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isDiskFull(error)) throw new Error(noRoom(folder));
    throw new Error(
      `DATA_DIR ${folder} cannot be used: ${(error as Error).message}. Set DATA_DIR to a folder this user may write to.`,
    );
  }
  // The database writes before it can be read: half-way into its start it would only say that a write has failed.
  const { bsize, blocks, bavail } = look(folder);
  if (blocks > 0 && bavail * bsize < START_FREE_BYTES_MIN) throw new Error(noRoom(folder));
}

/** What to free before a start. */
export const noRoom = (folder: string): string =>
  `The disk that holds DATA_DIR ${folder} is full, and a start needs ${START_FREE_BYTES_MIN / 2 ** 20} MiB. Make room and start again. What callers can do without may be deleted: ${folder}/uploads, ${folder}/results, ${folder}/artworks, and ${folder}/hashes, which is made anew.`;

/** From the outermost to the folder itself. */
function missingIn(folder: string): string[] {
  if (existsSync(folder)) return [];
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...missingIn(parent), folder];
}
