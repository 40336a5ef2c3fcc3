import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  type StatsFs,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDiskFull } from './disk.ts';

/** With less free space, the server does not start. */
const START_FREE_BYTES_MIN = 16 * 1024 * 1024;

type Space = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>;

/**
 * Creates the data folder level by level: `mkdir` with `recursive` hangs if the system refuses folders, as in /proc.
 * @throws Error with the problem, or with what to delete
 */
export function makeDataFolder(path: string, look: (path: string) => Space = statfsSync): void {
  const folder = resolve(path);
  try {
    for (const missing of missingIn(folder)) mkdirSync(missing, { mode: 0o700 });
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isDiskFull(error)) throw new Error(diskFullMessage(folder));
    throw new Error(
      `DATA_DIR ${folder} cannot be used: ${(error as Error).message}. Set DATA_DIR to a folder that this user can write to.`,
    );
  }
  // The database writes before it can be read: in the middle of its start it would only report a failed write.
  const { bsize, blocks, bavail } = look(folder);
  if (blocks > 0 && bavail * bsize < START_FREE_BYTES_MIN) throw new Error(diskFullMessage(folder));
}

/** Entries that identify a data folder. Without any, it may be a shared folder such as /tmp. */
const OWN_ENTRIES: readonly string[] = ['database', 'storage_id', 'signing_secret'];

/**
 * Removes access for other users from an existing data folder: `mkdir` creates 0755 with the usual umask, which lets every user read stored
 * files. A mode without access for others, such as 0750 or 2770, stays: it was chosen for a group.
 * @returns a warning with the command to run, if another user owns the folder or it is not evidently a data folder
 */
export function closeDataFolder(path: string): string | undefined {
  const folder = resolve(path);
  const { mode, uid } = statSync(folder);
  if (process.platform === 'win32' || (mode & 0o007) === 0) return undefined;
  const entries = readdirSync(folder);
  const isOwn = entries.length === 0 || entries.some((entry) => OWN_ENTRIES.includes(entry));
  if (isOwn && uid === process.geteuid?.() && closes(folder)) return undefined;
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  return `DATA_DIR ${folder} has mode ${octal}, so other users of this machine can read it. Run: chmod 0700 ${folder}`;
}

/** False if the file system has no modes, as on network shares. */
function closes(folder: string): boolean {
  try {
    chmodSync(folder, 0o700);
  } catch {
    return false;
  }
  return (statSync(folder).mode & 0o007) === 0;
}

/** Error of a start on a full disk. */
export const diskFullMessage = (folder: string): string =>
  `The disk of DATA_DIR ${folder} is full. Starting needs ${START_FREE_BYTES_MIN / 2 ** 20} MiB. Free disk space and start again. You can delete temporary files: ${folder}/uploads, ${folder}/results, ${folder}/artworks, and ${folder}/hashes, which is rebuilt.`;

/** From the outermost to the folder itself. */
function missingIn(folder: string): string[] {
  if (existsSync(folder)) return [];
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...missingIn(parent), folder];
}
