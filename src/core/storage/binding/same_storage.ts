import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/types.ts';
import type { RemoteStore } from '../objects/types.ts';
import { type StorageIdLocation, storageIdLocationOf } from './storage_id.ts';
import * as store from './store.ts';

interface StorageBinding {
  readonly dataDir: string;
  /** Present if bytes are stored in a bucket. */
  readonly remote?: RemoteStore | undefined;
  /** Binds them to each other even if they were bound elsewhere. */
  readonly mayAdopt?: boolean;
}

/**
 * A database and its folder or bucket share an id. A mismatched pair would answer 500 for every missing file, and the cleanup would delete
 * files that another database needs. An embedded database is in the folder itself.
 * @throws Error with a remedy, if they do not match
 */
export async function requireSameStorage(
  database: Database,
  { dataDir, remote, mayAdopt = false }: StorageBinding,
): Promise<void> {
  if (database.kind === 'embedded' && !remote) return requireOwnFolder(database, { dataDir, mayAdopt });
  const place = storageIdLocationOf(dataDir, remote);
  await database.transaction(async (tx) => {
    await store.lock(tx);
    const known = await store.selectId(tx);
    const kept = await place.read();
    if (kept !== undefined && kept === known) return;
    const areNew = kept === undefined && known === undefined && !leavesFiles(database, dataDir);
    if (!areNew && !mayAdopt) throw otherStorageError(place, { kept, known });
    // The row first: after a crash in between, nothing is bound.
    const id = kept || randomUUID();
    await store.saveId(tx, id);
    await place.write(id);
  });
}

/** The files of a database bound to a bucket are not in its folder. */
async function requireOwnFolder(
  database: Database,
  { dataDir, mayAdopt }: { dataDir: string; mayAdopt: boolean },
): Promise<void> {
  if ((await store.selectId(database)) === undefined) return;
  if (mayAdopt) return store.deleteId(database);
  throw new Error(
    `The files of the database in DATA_DIR ${dataDir} are in an object store. Set STORAGE_URL to it. If the object store is lost, start once with ADOPT_STORAGE=true to continue without it; its files are then missing.`,
  );
}

/** An embedded database is not bound to its folder, whose files would be left behind. */
const leavesFiles = ({ kind }: Database, dataDir: string): boolean =>
  kind === 'embedded' && existsSync(join(dataDir, 'blobs'));

function otherStorageError(
  { name, remedy }: StorageIdLocation,
  { kept, known }: { kept: string | undefined; known: string | undefined },
): Error {
  const what =
    kept === undefined
      ? `The database is paired with other storage than ${name}`
      : known === undefined
        ? `The database is new, and ${name} is paired with another database`
        : `The database and ${name} belong to different installations`;
  return new Error(
    `${what}. ${remedy}, or restore both from the same backup. If the original counterpart is lost, start once with ADOPT_STORAGE=true to pair these two; data of the lost counterpart is then missing.`,
  );
}
