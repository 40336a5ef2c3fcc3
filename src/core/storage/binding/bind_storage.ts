import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Database, Queryable } from '../../database/types.ts';
import type { RemoteStore } from '../objects/types.ts';
import { type StorageIdLocation, storageIdLocationOf } from './storage_id.ts';
import * as store from './store.ts';
import { nameKey } from './store.ts';

/**
 * Binds a database to a bucket that contains its files. From then on no server starts with the folder.
 * @throws Error if the bucket belongs to another database
 */
export async function bindStorage(
  database: Database,
  { dataDir, remote }: { dataDir: string; remote: RemoteStore },
): Promise<{ finish(): Promise<void> }> {
  const place = storageIdLocationOf(dataDir, remote);
  const known = await store.selectId(database);
  const kept = await place.read();
  if (kept !== undefined && kept !== known)
    throw new Error(
      `The bucket STORAGE_URL ${remote.where} is paired with another database. Choose an empty bucket, or another prefix in this one.`,
    );
  return {
    async finish() {
      const id = known ?? randomUUID();
      // The bucket last: an interrupted move can be repeated, and no server starts in between.
      await rm(join(resolve(dataDir), 'storage_id'), { force: true });
      await store.saveId(database, id);
      await place.write(id);
    },
  };
}

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

interface SharedKey {
  /** The setting for the key. */
  readonly setting: 'SIGNING_SECRET' | 'RECEIPT_KEY';
  /** The file in DATA_DIR that stores it otherwise. */
  readonly file: string;
  readonly bytes: string | Uint8Array;
  /** Whether it comes from a setting, which then replaces the previous key. */
  readonly isSet: boolean;
}

/**
 * Servers of one database with separate data folders would generate a key each, and refuse each other's links and receipts. The database
 * stores the fingerprint of the first key; a different generated key is refused, a configured one replaces it.
 * @throws Error naming the source of the right key
 */
export async function requireSameKeys(
  database: Queryable,
  keys: readonly SharedKey[],
  { mayAdopt }: { mayAdopt: boolean },
): Promise<void> {
  for (const { setting, file, bytes, isSet } of keys) {
    const fingerprint = createHash('sha256')
      .update(`atelier ${setting}\n`)
      .update(bytes)
      .digest('hex')
      .slice(0, 32);
    const known = await nameKey(database, { name: setting, fingerprint, takesOver: isSet || mayAdopt });
    if (known === fingerprint) continue;
    throw new Error(
      `The generated key of this server differs from the key of the other servers on its database. Set ${setting} to their key: the content of ${file} in the DATA_DIR of the first server. If that file is lost, start once with ADOPT_STORAGE=true to continue with the key of this server.`,
    );
  }
}

/** Checks the lock file of a server in its folder. @throws Error if its process is alive */
export async function refuseRunning(dataDir: string): Promise<void> {
  const path = join(dataDir, 'server.json');
  if (!existsSync(path)) return;
  const { pid } = JSON.parse(await readFile(path, 'utf8')) as { pid: number };
  try {
    process.kill(pid, 0);
  } catch {
    return;
  }
  throw runningError();
}

export const runningError = (): Error =>
  new Error(
    'A server still uses DATA_DIR. Stop all servers of this database first: files that they save during the move would be left behind.',
  );
