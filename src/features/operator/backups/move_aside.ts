import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder } from '../../../core/storage/blobs/disk.ts';

/** What belongs to one database: its files, and what is named after what they hold. Networks, museums and caches stay. */
export const BOUND_TO_DATABASE = ['database', 'database_moved', 'hashes', 'snapshots'];
export const BOUND_TO_INSTANCE = [
  ...BOUND_TO_DATABASE,
  ...['blobs', 'uploads', 'results', 'signing_secret', 'receipt_key.pem', 'storage_id'],
];

/**
 * Puts what is in a data folder into a folder in it, and what was restored in its place.
 * @returns where the former is now; undefined where there was nothing
 */
export async function moveAside(
  dataDir: string,
  { names, from, aside }: { names: readonly string[]; from: string; aside: string },
): Promise<string | undefined> {
  const replaced = join(dataDir, aside);
  const present = names.filter((name) => existsSync(join(dataDir, name)));
  if (present.length > 0) await makeFolder(replaced);
  for (const name of present) await rename(join(dataDir, name), join(replaced, name));
  for (const name of names.filter((each) => existsSync(join(from, each))))
    await rename(join(from, name), join(dataDir, name));
  await syncFolder(dataDir);
  return present.length > 0 ? replaced : undefined;
}
