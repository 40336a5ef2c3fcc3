import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { migrate } from '../../../core/database/migrate.ts';
import { type NewDatabase, openNewDatabase } from '../../../core/database/new_database.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { idPlaceOf } from '../../../core/storage/binding/id_place.ts';
import { requireSameStorage } from '../../../core/storage/binding/same_storage.ts';
import { blobName } from '../../../core/storage/blobs/blob_name.ts';
import { makeDataFolder } from '../../../core/storage/blobs/data_folder.ts';
import type { Objects, Store } from '../../../core/storage/objects/types.ts';
import { checkLog } from '../../provenance/log/check_log.ts';
import { audit } from '../../wallets/audit.ts';
import { checkObjects } from './check_backup.ts';
import { type BackupPlace, type Steps, stepsOf } from './deps.ts';
import { eachBlob } from './each_blob.ts';
import { createKeptObjects, type KeptObjects } from './kept_objects.ts';
import { loadRows, refuseNewer } from './load_rows.ts';
import { type Manifest, nameAt, readManifest } from './manifest.ts';
import { BOUND_TO_INSTANCE, moveAside } from './move_aside.ts';
import { keepServersOut, refuseServing } from './refuse_serving.ts';
import { restoreSmallFiles } from './small_files.ts';
import type { RestoredBackup, RestoreOptions } from './types.ts';
import { isUnfinished, leaveUnfinishedNote, removeUnfinishedNote } from './unfinished_note.ts';

export interface RestorePlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** What the settings name, tables as they are. */
  openPresent(): Promise<ScriptableDatabase>;
  openStore(database: ScriptableDatabase, dataDir: string): Promise<Store>;
}

/** Everything is made in this folder of DATA_DIR first, and then moved at once. */
const BEING_RESTORED = 'restoring';

/**
 * Brings a backup to where the settings say things are kept. Every byte is checked before anything is written, and ledger, log, tables and references
 * after; only then it takes the place of what was there, which is put aside. Stopped or killed, the same command begins again.
 * @throws Error saying what to do
 */
export async function restoreBackup(
  place: RestorePlace,
  from: BackupPlace,
  { mayReplace, ...options }: RestoreOptions,
): Promise<RestoredBackup> {
  const { name, manifest } = await readManifest(from, options.at);
  if (!manifest.blobs)
    throw new Error(`${name} holds the database alone. Go back to it with: atelier rollback --at ${name}`);
  await refuseNewer(manifest.migrations);
  const dataDir = resolve(place.dataDir);
  makeDataFolder(dataDir);
  const letIn = await keepServersOut(dataDir);
  try {
    const mayReplaceHere = mayReplace || isUnfinished(dataDir);
    await requireEmpty({ ...place, dataDir }, mayReplaceHere);
    const objects = createKeptObjects(from);
    await checkObjects(manifest, objects, stepsOf(options, 0, 0.2));
    await leaveUnfinishedNote(dataDir);
    const work = { ...place, dataDir, manifest, objects, mayReplace: mayReplaceHere };
    const { rows, blobs, aside } = await bring(work, options);
    await removeUnfinishedNote(dataDir);
    return { name, rows, blobs, aside, damaged: manifest.blobs.damaged.length };
  } finally {
    letIn();
  }
}

/** @throws Error where something is there that would be replaced */
async function requireEmpty(
  { dataDir, databaseUrl, openPresent }: RestorePlace,
  mayReplace: boolean,
): Promise<void> {
  const present = BOUND_TO_INSTANCE.filter((name) => existsSync(join(dataDir, name)));
  if (!mayReplace && present.length > 0)
    throw new Error(
      `DATA_DIR ${dataDir} is not empty: it has ${present.join(', ')}. Set DATA_DIR to a new folder, or say --replace to put what is there aside.`,
    );
  if (!databaseUrl) return;
  const database = await openPresent();
  try {
    await refuseServing(database);
    const used = await database.query(
      `select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm') limit 1`,
    );
    if (used.length > 0 && !mayReplace)
      throw new Error(
        'The database of DATABASE_URL is not empty. Name a new one (createdb), or say --replace to put what is there aside.',
      );
  } finally {
    await database.close();
  }
}

interface Work extends RestorePlace {
  readonly mayReplace: boolean;
  readonly manifest: Manifest;
  readonly objects: KeptObjects;
}

async function bring(work: Work, options: Omit<RestoreOptions, 'mayReplace'>) {
  const { dataDir, databaseUrl, manifest, objects } = work;
  const restoring = join(dataDir, BEING_RESTORED);
  await rm(restoring, { recursive: true, force: true });
  await restoreSmallFiles(restoring, objects, manifest.files);
  const asideName = `replaced_${nameAt(new Date()).replaceAll(/\W/g, '').toLowerCase()}`;
  const fresh = await openNewDatabase({ folder: restoring, databaseUrl, asideName });
  try {
    const steps = stepsOf(options, 0.2, 0.6);
    const rows = await loadRows(fresh.database, manifest, { objects, steps });
    await migrate(fresh.database);
    await requireWhole(fresh.database);
    const store = await work.openStore(fresh.database, restoring);
    await requireOwnBucket(store, work);
    const blobs = await restoreBlobs(store.objectsOf('blobs'), work, stepsOf(options, 0.6, 1));
    await requireSameStorage(fresh.database, { dataDir: restoring, remote: store.remote, mayAdopt: true });
    const aside = await takePlaces(fresh, { dataDir, restoring, asideName });
    return { rows, blobs, aside };
  } catch (error) {
    await fresh.discard().catch(() => {});
    throw error;
  }
}

/** @throws Error where the bucket is that of another database, whose blobs would be swept */
async function requireOwnBucket({ remote }: Store, { dataDir, mayReplace }: Work): Promise<void> {
  await remote?.probe();
  if (mayReplace || !remote || (await idPlaceOf(dataDir, remote).read()) === undefined) return;
  throw new Error(
    `The bucket STORAGE_URL ${remote.where} belongs to a database. Choose an empty one, or another prefix in it. Where that database is gone, or is the one being restored, say --replace: the bucket goes with the restored one then.`,
  );
}

/** @throws Error where the books do not balance, or the log is not what its leaves make */
async function requireWhole(database: ScriptableDatabase): Promise<void> {
  const { problems } = await audit(database, new Date());
  if (problems.length > 0)
    throw new Error(`The ledger of the backup does not balance: ${problems.slice(0, 3).join('; ')}.`);
  await checkLog(database);
}

async function restoreBlobs(
  target: Objects,
  { manifest: { blobs }, objects }: Pick<Work, 'manifest' | 'objects'>,
  steps: Steps,
): Promise<number> {
  if (!blobs) return 0;
  const damaged = new Set(blobs.damaged);
  await eachBlob(blobs, { objects, steps }, async (sha256) => {
    if (damaged.has(sha256)) return;
    const bytes = await objects.read(sha256);
    if ((await target.sizeOf(blobName(sha256))) !== bytes.length)
      await target.replace(blobName(sha256), bytes);
  });
  return blobs.count - damaged.size;
}

interface Places {
  readonly dataDir: string;
  readonly restoring: string;
  readonly asideName: string;
}

/** What was restored becomes what is there. Answers where what was there is now. */
async function takePlaces(fresh: NewDatabase, { dataDir, restoring, asideName }: Places): Promise<string[]> {
  const { schemaAside } = await fresh.takePlace();
  const folderAside = await moveAside(dataDir, {
    names: BOUND_TO_INSTANCE,
    from: restoring,
    aside: asideName,
  });
  await rm(restoring, { recursive: true, force: true });
  return [folderAside, schemaAside && `schema ${schemaAside}`].filter((each) => each !== undefined);
}
