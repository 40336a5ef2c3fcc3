import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Database } from '../../database/contract.ts';
import { isMissing } from '../blobs/disk.ts';
import { keepFile } from '../blobs/keep_file.ts';
import * as store from './store.ts';

/**
 * A database on a server names files of one folder, and each holds the same id to tell. Two that do not belong together would
 * answer 500 wherever one names what the other lacks. The embedded database lies in the folder itself.
 * @param mayAdopt ties them to each other whatever they were tied to before
 * @throws Error saying what to do, where they do not belong together
 */
export async function requireSameStorage(
  database: Database,
  { dataDir, mayAdopt = false }: { dataDir: string; mayAdopt?: boolean },
): Promise<void> {
  if (database.kind === 'embedded') return;
  const path = join(resolve(dataDir), 'storage_id');
  await database.transaction(async (tx) => {
    await store.lock(tx);
    const known = await store.selectId(tx);
    const kept = await read(path);
    if (kept !== undefined && kept === known) return;
    const areNew = kept === undefined && known === undefined;
    if (!areNew && !mayAdopt) throw otherStorageError(resolve(dataDir), { kept, known });
    // Rows first: where the process dies in between, nothing was tied.
    const id = kept || randomUUID();
    await store.saveId(tx, id);
    if (kept === '') await rm(path);
    await keepFile(path, () => id);
  });
}

const read = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    },
  );

function otherStorageError(
  folder: string,
  { kept, known }: { kept: string | undefined; known: string | undefined },
): Error {
  const what =
    known === undefined
      ? `The folder DATA_DIR ${folder} belongs to another database than DATABASE_URL, which is new`
      : kept === undefined
        ? `The database DATABASE_URL names files of another folder than DATA_DIR ${folder}, which is new to it`
        : `The database DATABASE_URL and the folder DATA_DIR ${folder} belong to different servers`;
  return new Error(
    `${what}. Servers on one database need one folder: set DATA_DIR to that folder, or restore both from the same backup. If the other one is gone for good, start once with ADOPT_STORAGE=true to use these two together; what only the other held is missing then.`,
  );
}
