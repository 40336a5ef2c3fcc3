import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/types.ts';
import type { RemoteStore } from '../objects/types.ts';
import { type IdPlace, idPlaceOf } from './id_place.ts';
import * as store from './store.ts';

interface Tied {
  readonly dataDir: string;
  /** Where bytes lie in a bucket. */
  readonly remote?: RemoteStore | undefined;
  /** Ties them to each other whatever they were tied to before. */
  readonly mayAdopt?: boolean;
}

/**
 * A database names files of one folder or bucket, and each holds the same id to tell. Two that do not belong together would
 * answer 500 wherever one names what the other lacks, and sweep what the other needs. An embedded database lies in the folder itself.
 * @throws Error saying what to do, where they do not belong together
 */
export async function requireSameStorage(
  database: Database,
  { dataDir, remote, mayAdopt = false }: Tied,
): Promise<void> {
  if (database.kind === 'embedded' && !remote) return requireOwnFolder(database, { dataDir, mayAdopt });
  const place = idPlaceOf(dataDir, remote);
  await database.transaction(async (tx) => {
    await store.lock(tx);
    const known = await store.selectId(tx);
    const kept = await place.read();
    if (kept !== undefined && kept === known) return;
    const areNew = kept === undefined && known === undefined && !leavesFiles(database, dataDir);
    if (!areNew && !mayAdopt) throw otherStorageError(place, { kept, known });
    // Rows first: where the process dies in between, nothing was tied.
    const id = kept || randomUUID();
    await store.saveId(tx, id);
    await place.write(id);
  });
}

/** The files of a database that was tied to a bucket are not in its folder. */
async function requireOwnFolder(
  database: Database,
  { dataDir, mayAdopt }: { dataDir: string; mayAdopt: boolean },
): Promise<void> {
  if ((await store.selectId(database)) === undefined) return;
  if (mayAdopt) return store.deleteId(database);
  throw new Error(
    `The files that the database in DATA_DIR ${dataDir} names are in an object store. Set STORAGE_URL to it. If it is gone for good, start once with ADOPT_STORAGE=true to go on without; what only it held is missing then.`,
  );
}

/** An embedded database was never tied to its folder, whose files would be left behind. */
const leavesFiles = ({ kind }: Database, dataDir: string): boolean =>
  kind === 'embedded' && existsSync(join(dataDir, 'blobs'));

function otherStorageError(
  { name, remedy }: IdPlace,
  { kept, known }: { kept: string | undefined; known: string | undefined },
): Error {
  const what =
    kept === undefined
      ? `The database names files of another place than ${name}, which is new to it`
      : known === undefined
        ? `The database is new, and ${name} belongs to another one`
        : `The database and ${name} belong to different servers`;
  return new Error(
    `${what}. ${remedy}, or restore both from the same backup. If the other one is gone for good, start once with ADOPT_STORAGE=true to use these two together; what only the other held is missing then.`,
  );
}
