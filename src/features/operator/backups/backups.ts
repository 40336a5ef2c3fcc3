import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, isBucketAddress } from '../../../config/config.ts';
import { readProgram } from '../../../config/program.ts';
import { SERVER_TIMEOUT_MS } from '../../../core/cluster/members/members.ts';
import { selectServers } from '../../../core/cluster/members/store.ts';
import { type Filling, fillDatabase } from '../../../core/database/copying/fill_database.ts';
import { loadTable } from '../../../core/database/copying/table_dump.ts';
import { digestTable, listTables, type Table, writePlainly } from '../../../core/database/copying/tables.ts';
import { DatabaseUnreadable } from '../../../core/database/embedded.ts';
import { lockFolder } from '../../../core/database/folder_lock.ts';
import { listApplied, listUnknown, migrate } from '../../../core/database/migrate.ts';
import { type NewDatabase, openNewDatabase } from '../../../core/database/new_database.ts';
import { openDatabase } from '../../../core/database/open_database.ts';
import { livesHere, type ProcessIdentity, thisProcess } from '../../../core/database/process_identity.ts';
import { isMigration } from '../../../core/database/schema_files.ts';
import { isDatabaseDamage } from '../../../core/database/sql_error.ts';
import type { Queryable, ScriptableDatabase } from '../../../core/database/types.ts';
import { refuseRunning, requireSameStorage } from '../../../core/storage/binding/bind_storage.ts';
import { storageIdLocationOf } from '../../../core/storage/binding/storage_id.ts';
import { blobName } from '../../../core/storage/blobs/blob_name.ts';
import { makeDataFolder } from '../../../core/storage/blobs/data_folder.ts';
import { isDiskFull, makeFolder, syncFolder } from '../../../core/storage/blobs/disk.ts';
import { openStore } from '../../../core/storage/objects/objects.ts';
import {
  type BackupBucket,
  createBackupBucket,
  readAddress,
} from '../../../core/storage/objects/s3/bucket_store.ts';
import type { Objects, Store } from '../../../core/storage/objects/types.ts';
import { checkLog } from '../../provenance/log/check_log.ts';
import { audit } from '../../wallets/audit.ts';
import { openData } from '../storage/open_data.ts';
import { type BackupPlace, type HeldPlace, type Steps, stepsOf } from './deps.ts';
import { alreadyBackingUp } from './hold_backup.ts';
import { type BackupObjects, createKeptObjects } from './kept_objects.ts';
import { BUCKET_LOCK_RENEW_MS, BUCKET_LOCK_SILENCE_MS } from './limits.ts';
import { eachBlob, makeBackup, restoreKeyFiles } from './make_backup.ts';
import { type DumpedTable, type Manifest, nameAt, readManifest } from './manifest.ts';
import { createFolderPlace, snapshotFolder } from './snapshot_before_migrating.ts';
import type {
  Backups,
  CheckedBackup,
  ChooseOptions,
  RestoredBackup,
  RestoreOptions,
  Rollback,
} from './types.ts';
import { isUnfinished, leaveUnfinishedNote, removeUnfinishedNote } from './unfinished_note.ts';

/**
 * Files of DATA_DIR that belong to one database: the database, its keys and its content-addressed files. Models, museum data and
 * caches stay.
 */
const BOUND_TO_DATABASE = ['database', 'database_moved', 'hashes', 'snapshots'];
const BOUND_TO_INSTANCE = [
  ...BOUND_TO_DATABASE,
  'blobs',
  'uploads',
  'results',
  'signing_secret',
  'receipt_key.pem',
  'storage_id',
];

/**
 * Moves the contents of a data folder into a subfolder, and the restored contents into their place.
 * @returns the subfolder; undefined where the data folder was empty
 */
async function moveAside(
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

interface RestorePlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Opens the configured database without a migration. */
  openPresent(): Promise<ScriptableDatabase>;
  openStore(database: ScriptableDatabase, dataDir: string): Promise<Store>;
}

/** Everything is created in this subfolder of DATA_DIR first, then renamed. */
const RESTORE_FOLDER = 'restoring';

/**
 * Restores a backup to the configured storage. Verifies every byte before the first write, then ledger, log, tables and references
 * of the restored data. Only then moves the previous contents aside. After an interruption, run the same command again.
 * @throws Error saying what to do
 */
async function restoreBackup(
  place: RestorePlace,
  from: BackupPlace,
  { mayReplace, ...options }: RestoreOptions,
): Promise<RestoredBackup> {
  const { name, manifest } = await readManifest(from, options.at);
  if (!manifest.blobs)
    throw new Error(
      `${name} is a snapshot of the database only. Restore it with: atelier rollback --at ${name}`,
    );
  await refuseNewer(manifest.migrations);
  const dataDir = resolve(place.dataDir);
  makeDataFolder(dataDir);
  const letIn = await lockOutServers(dataDir);
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

/** @throws Error where existing data would be replaced */
async function requireEmpty(
  { dataDir, databaseUrl, openPresent }: RestorePlace,
  mayReplace: boolean,
): Promise<void> {
  const present = BOUND_TO_INSTANCE.filter((name) => existsSync(join(dataDir, name)));
  if (!mayReplace && present.length > 0)
    throw new Error(
      `DATA_DIR ${dataDir} is not empty: it contains ${present.join(', ')}. Set DATA_DIR to a new folder, or add --replace to move the existing data aside.`,
    );
  if (!databaseUrl) return;
  const database = await openPresent();
  try {
    await requireNoServers(database);
    const used = await database.query(
      `select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm') limit 1`,
    );
    if (used.length > 0 && !mayReplace)
      throw new Error(
        'The database of DATABASE_URL is not empty. Create an empty one (createdb), or add --replace to move the existing data aside.',
      );
  } finally {
    await database.close();
  }
}

interface Work extends RestorePlace {
  readonly mayReplace: boolean;
  readonly manifest: Manifest;
  readonly objects: BackupObjects;
}

async function bring(work: Work, options: Omit<RestoreOptions, 'mayReplace'>) {
  const { dataDir, databaseUrl, manifest, objects } = work;
  const restoring = join(dataDir, RESTORE_FOLDER);
  await rm(restoring, { recursive: true, force: true });
  await restoreKeyFiles(restoring, objects, manifest.files);
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
    const aside = await replaceData(fresh, { dataDir, restoring, asideName });
    return { rows, blobs, aside };
  } catch (error) {
    await fresh.discard().catch(() => {});
    throw error;
  }
}

/** @throws Error where the bucket belongs to another database, whose blobs the cleanup would delete */
async function requireOwnBucket({ remote }: Store, { dataDir, mayReplace }: Work): Promise<void> {
  await remote?.probe();
  if (mayReplace || !remote || (await storageIdLocationOf(dataDir, remote).read()) === undefined) return;
  throw new Error(
    `The bucket STORAGE_URL ${remote.where} belongs to a database. Use an empty bucket or another prefix. If that database no longer exists, or is the one being restored, add --replace to assign the bucket to the restored database.`,
  );
}

/** @throws Error where the ledger does not balance, or the log does not match its leaves */
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

/** Replaces the current data with the restored data. Returns where the previous data is now. */
async function replaceData(fresh: NewDatabase, { dataDir, restoring, asideName }: Places): Promise<string[]> {
  const { schemaAside } = await fresh.replacePrevious();
  const folderAside = await moveAside(dataDir, {
    names: BOUND_TO_INSTANCE,
    from: restoring,
    aside: asideName,
  });
  await rm(restoring, { recursive: true, force: true });
  return [folderAside, schemaAside && `schema ${schemaAside}`].filter((each) => each !== undefined);
}

const FOLDER = 'lock';
const LOCK = `${FOLDER}/owner`;

/**
 * Locks the backups of a bucket for this process. The holder renews the lock; a lock that is not renewed, or whose process on this
 * machine has died, is taken over.
 * @throws Error naming the holder
 */
async function holdBucket(root: Objects, where: string): Promise<HeldPlace> {
  const own = Buffer.from(JSON.stringify({ ...thisProcess(), id: randomUUID() }));
  while (!(await root.add(LOCK, own))) {
    const owner = await ownerOf(root);
    if (!owner) continue;
    if (isAtIt(owner)) throw alreadyBackingUp(where, `Process ${owner.pid} on ${owner.host.split(' ')[0]}`);
    await root.remove(LOCK);
  }
  return keep(root, own);
}

function keep(root: Objects, own: Buffer): HeldPlace {
  const lost = new AbortController();
  let saidAt = performance.now();
  const isOwn = async () => own.equals((await root.read(LOCK)) ?? Buffer.alloc(0));
  const lose = (why: string) => lost.abort(new Error(`${why} Back up again.`));
  const renew = async () => {
    if (!(await isOwn())) return lose('Another backup to this bucket has started.');
    await root.replace(LOCK, own);
    saidAt = performance.now();
  };
  const timer = setInterval(() => {
    renew().catch(() => {
      if (performance.now() - saidAt > BUCKET_LOCK_SILENCE_MS)
        lose('The bucket was unreachable for too long.');
    });
  }, BUCKET_LOCK_RENEW_MS).unref();
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      // If this fails, the lock expires.
      if (await isOwn().catch(() => false)) await root.remove(LOCK).catch(() => {});
    },
  };
}

interface Owner extends ProcessIdentity {
  readonly saidAt: Date;
}

/** The owner of the lock; undefined where it has just been released. */
async function ownerOf(root: Objects): Promise<Owner | undefined> {
  const bytes = await root.read(LOCK);
  const [found] = await Array.fromAsync(root.list(FOLDER));
  if (!bytes || !found) return undefined;
  return { ...(JSON.parse(Buffer.from(bytes).toString()) as ProcessIdentity), saidAt: found.modifiedAt };
}

const isAtIt = (owner: Owner): boolean =>
  livesHere(owner) ?? Date.now() - owner.saidAt.getTime() < BUCKET_LOCK_SILENCE_MS;

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const TOLD = {
  named: {
    address: 'The bucket',
    keys: 'BACKUP_KEY_ID and BACKUP_SECRET_KEY',
    region: 'BACKUP_REGION',
  },
  secret: 'a backup contains keys and all data of clients. Disable public access, or use another bucket.',
};

/**
 * Opens the storage of backups: a folder, or the URL of a bucket with the configured credentials.
 * @throws Error naming a valid target
 */
export function openPlace(target: string, config: Config): BackupPlace {
  if (ADDRESS.test(target)) return createBucketPlace(openBucket(target, config));
  if (resolve(target) === resolve(config.DATA_DIR))
    throw new Error('The backup folder is inside DATA_DIR. Use a folder on another disk.');
  return createFolderPlace(target);
}

function openBucket(address: string, config: Config): BackupBucket {
  const { BACKUP_REGION, BACKUP_KEY_ID, BACKUP_SECRET_KEY, STORAGE_URL } = config;
  if (!isBucketAddress(address))
    throw new Error(
      `${address.slice(0, 200)} is not a bucket URL. Use endpoint, bucket and prefix, such as https://s3.eu-central-1.amazonaws.com/bucket/backups, and set the keys in BACKUP_KEY_ID and BACKUP_SECRET_KEY.`,
    );
  if (STORAGE_URL && readAddress(STORAGE_URL).where === readAddress(address).where)
    throw new Error('The backup bucket is the one of STORAGE_URL. Use another bucket, or another prefix.');
  const keyId = BACKUP_KEY_ID ?? config.STORAGE_KEY_ID;
  const secretKey = BACKUP_SECRET_KEY ?? config.STORAGE_SECRET_KEY;
  if (!keyId || !secretKey)
    throw new Error(
      'Set BACKUP_KEY_ID and BACKUP_SECRET_KEY: keys with permission to write, read, list and delete objects in the bucket.',
    );
  const region = BACKUP_REGION ?? config.STORAGE_REGION;
  const outgoing = join(config.DATA_DIR, 'outgoing');
  return createBackupBucket(address, { region, keyId, secretKey, outgoing }, TOLD);
}

/** Backups in a bucket. */
function createBucketPlace(bucket: BackupBucket): BackupPlace {
  return {
    where: bucket.where,
    objects: bucket.within('objects/'),
    manifests: bucket.within('backups/'),
    async hold() {
      await bucket.probe();
      const held = await holdBucket(bucket.within(''), bucket.where);
      await bucket.endAbandoned(new Date());
      return held;
    },
  };
}

/** The new database is created in this subfolder of DATA_DIR first. */
const ROLLBACK_FOLDER = 'rolling_back';

/** The changes that a rollback to a snapshot would undo. @throws Error where there is no snapshot, or a server is running */
async function previewRollback(
  { dataDir, openPresent }: RestorePlace,
  { at }: ChooseOptions,
): Promise<Rollback> {
  const { name, manifest } = await readManifest(createFolderPlace(snapshotFolder(dataDir)), at);
  const preview = { name, madeAt: new Date(manifest.made_at) };
  try {
    return { ...preview, ...(await readChanges(manifest, openPresent)) };
  } catch (error) {
    if (!(error instanceof DatabaseUnreadable) && !isDatabaseDamage(error)) throw error;
    return { ...preview, isUnreadable: true, changes: [], migrations: [] };
  }
}

async function readChanges(
  manifest: Manifest,
  openPresent: RestorePlace['openPresent'],
): Promise<Pick<Rollback, 'changes' | 'migrations'>> {
  const database = await openPresent();
  try {
    await requireNoServers(database);
    const then = new Map(manifest.tables.map((table) => [table.name, table.rows]));
    const had = new Set(manifest.migrations.map((migration) => migration.name));
    const changes = [];
    for (const table of await listTables(database)) {
      const { rows: now } = await digestTable(database, table);
      const before = then.get(table.name) ?? 0;
      if (now !== before) changes.push({ table: table.name, before, now });
    }
    const migrations = (await listApplied(database)).map((migration) => migration.name);
    return { changes, migrations: migrations.filter((migration) => !had.has(migration)) };
  } finally {
    await database.close();
  }
}

/**
 * Restores the database from a snapshot and moves the previous one aside. Stored bytes stay; blobs that the cleanup has deleted
 * since are lost.
 * @throws Error where a server is running, or the snapshot is damaged
 */
async function rollBack(place: RestorePlace, { at, ...options }: ChooseOptions): Promise<RestoredBackup> {
  const { databaseUrl } = place;
  const dataDir = resolve(place.dataDir);
  const snapshots = createFolderPlace(snapshotFolder(dataDir));
  const { name, manifest } = await readManifest(snapshots, at);
  const letIn = await lockOutServers(dataDir);
  const making = join(dataDir, ROLLBACK_FOLDER);
  try {
    const objects = createKeptObjects(snapshots);
    await checkObjects(manifest, objects, stepsOf(options, 0, 0.2));
    await leaveUnfinishedNote(dataDir);
    await rm(making, { recursive: true, force: true });
    const asideName = `replaced_${nameAt(new Date()).replaceAll(/\W/g, '').toLowerCase()}`;
    const fresh = await openNewDatabase({ folder: making, databaseUrl, asideName });
    try {
      const rows = await loadRows(fresh.database, manifest, { objects, steps: stepsOf(options, 0.2, 1) });
      const { remote } = await place.openStore(fresh.database, dataDir);
      await requireSameStorage(fresh.database, { dataDir, remote, mayAdopt: true });
      const { schemaAside } = await fresh.replacePrevious();
      const names = BOUND_TO_DATABASE;
      const folderAside = await moveAside(dataDir, { names, from: making, aside: asideName });
      await removeUnfinishedNote(dataDir);
      const aside = [folderAside, schemaAside && `schema ${schemaAside}`].filter(
        (each) => each !== undefined,
      );
      return { name, rows, blobs: 0, aside, damaged: 0 };
    } catch (error) {
      await fresh.discard().catch(() => {});
      throw error;
    }
  } finally {
    await rm(making, { recursive: true, force: true });
    letIn();
  }
}

/** Backup and restore of the configured storage. */
export function openBackups(config: Config): Backups {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  const place: RestorePlace = {
    dataDir,
    databaseUrl,
    openPresent: () => openDatabase({ dataDir, databaseUrl, isPatient: true, isAsFound: true }),
    openStore: (database, folder) => openStore({ ...config, DATA_DIR: folder }, database),
  };
  return {
    make: async (target, options) =>
      explainFullDisk([target, dataDir], () =>
        makeBackup(
          {
            dataDir,
            version: readProgram().version,
            openDatabase: () => openData(config, { mayJoin: true, isPatient: true }),
            openBlobs: async (database: ScriptableDatabase) =>
              (await openStore(config, database)).objectsOf('blobs'),
          },
          openPlace(target, config),
          options,
        ),
      ),
    check: async (target, options) => checkBackup(openPlace(target, config), options),
    restore: async (target, options) =>
      explainFullDisk([dataDir], () => restoreBackup(place, openPlace(target, config), options)),
    previewRollback: (options) => previewRollback(place, options),
    rollBack: (options) => explainFullDisk([dataDir], () => rollBack(place, options)),
  };
}

/** @throws Error naming the folders on a full disk */
async function explainFullDisk<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    const where = folders.join(' or of ');
    throw new Error(`The disk of ${where} is full. Free disk space there and run the same command again.`, {
      cause,
    });
  }
}

/**
 * Locks the embedded database of a folder against servers until the returned function is called.
 * @throws Error where a server is running
 */
async function lockOutServers(dataDir: string): Promise<() => void> {
  await refuseRunning(dataDir);
  return lockFolder(dataDir);
}

/** @throws Error where servers or workers use the PostgreSQL database */
async function requireNoServers(database: Queryable): Promise<void> {
  const [found] = await database.query<{ there: boolean }>(
    `select to_regclass('servers') is not null as there`,
  );
  if (!found!.there) return;
  const servers = await selectServers(database, SERVER_TIMEOUT_MS);
  const running = servers.filter((server) => livesHere(server) !== false);
  if (running.length > 0)
    throw new Error(
      `${running.length} servers or workers run on this database (${running.map(({ host, pid }) => `process ${pid} on ${host.split(' ')[0]}`).join(', ')}). Stop them first. A killed one on another machine counts as running for ${SERVER_TIMEOUT_MS / 1000} s more.`,
    );
}

/** Verifies the hash of every object of a backup. @throws Error naming the first damaged one */
async function checkBackup(place: BackupPlace, options: ChooseOptions): Promise<CheckedBackup> {
  const { name, manifest } = await readManifest(place, options.at);
  return { name, ...(await checkObjects(manifest, createKeptObjects(place), stepsOf(options))) };
}

/** @throws as `checkBackup` */
async function checkObjects(
  { tables, files, blobs }: Manifest,
  objects: BackupObjects,
  steps: Steps,
): Promise<Omit<CheckedBackup, 'name'>> {
  const checked = { objects: 0, bytes: 0 };
  const check = async (sha256: string) => {
    steps.proceed();
    checked.bytes += (await objects.read(sha256)).length;
    checked.objects += 1;
  };
  for (const { sha256 } of files) await check(sha256);
  for (const [index, { name, parts }] of tables.entries()) {
    for (const part of parts) await check(part);
    steps.progress((0.5 * (index + 1)) / tables.length, `checking ${name}`);
  }
  if (!blobs) return checked;
  const damaged = new Set(blobs.damaged);
  const rest: Steps = {
    ...steps,
    progress: (fraction, what) => steps.progress(0.5 + fraction / 2, `checking ${what}`),
  };
  await eachBlob(blobs, { objects, steps: rest }, async (sha256) => {
    if (!damaged.has(sha256)) await check(sha256);
  });
  return checked;
}

/**
 * Loads the rows of a backup into a new database with the schema of its version, all or nothing. Verifies the checksum of each
 * table and every reference. Returns the number of rows.
 * @throws Error where the backup is of a newer version, or a table differs
 */
async function loadRows(
  database: ScriptableDatabase,
  { migrations, tables }: Manifest,
  { objects, steps }: { objects: BackupObjects; steps: Steps },
): Promise<number> {
  await refuseNewer(migrations);
  const rowsInAll = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const load = async ({ tx, requireSame }: Filling, dumped: DumpedTable, table: Table) => {
    for await (const rows of loadTable(tx, {
      table,
      numbers: dumped.numbers,
      parts: partsOf(dumped, objects),
    })) {
      steps.proceed();
      done += rows;
      steps.progress(done / rowsInAll, table.name);
    }
    await requireSame(table, dumped);
  };
  await fillDatabase(database, {
    only: migrations,
    async fill(filling) {
      await writePlainly(filling.tx);
      const there = new Map((await listTables(filling.tx)).map((table) => [table.name, table]));
      for (const dumped of tables) await load(filling, dumped, asDumped(dumped, there.get(dumped.name)));
    },
  });
  return rowsInAll;
}

/** @throws Error naming the migrations that this version lacks or that differ in it */
async function refuseNewer(migrations: Manifest['migrations']): Promise<void> {
  const unknown = await listUnknown(migrations);
  if (unknown.some(isMigration) && !migrations.some(({ name }) => name === 'ledger'))
    throw new Error(
      'The backup was made by an unreleased version, which cannot be upgraded. Restore it with that version.',
    );
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer version, whose database has ${unknown.slice(0, 3).join(', ')}. Restore it with that version.`,
    );
}

/** Takes identifiers from the database, because they become part of SQL statements, in the column order of the dumped rows. */
function asDumped({ name, columns }: DumpedTable, there: Table | undefined): Table {
  const isSame = there !== undefined && new Set([...columns, ...there.columns]).size === columns.length;
  if (!isSame || columns.length !== there.columns.length)
    throw new Error(
      `Table ${name} of the backup does not match the schema of its version, so the backup cannot be restored.`,
    );
  return { ...there, columns };
}

async function* partsOf({ parts }: DumpedTable, objects: BackupObjects): AsyncGenerator<string[]> {
  for (const part of parts) yield await objects.readLines(part);
}
