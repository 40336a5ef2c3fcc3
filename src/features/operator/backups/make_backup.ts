import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choreLease } from '../../../core/cleanup/start_sweeping.ts';
import { createLeases } from '../../../core/cluster/leases/leases.ts';
import { atOneMoment } from '../../../core/database/at_one_moment.ts';
import { listApplied } from '../../../core/database/migrate.ts';
import type { Queryable, ScriptableDatabase } from '../../../core/database/types.ts';
import { blobName } from '../../../core/storage/blobs/blob_name.ts';
import { isMissing, makeFolder, replaceFile } from '../../../core/storage/blobs/disk.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import { namedBlobs } from './blobs_in_use.ts';
import { type BackupPlace, type Steps, stepsOf } from './deps.ts';
import { dumpRows } from './dump_rows.ts';
import { holdBackup } from './hold_backup.ts';
import { createKeptObjects, type KeptObjects } from './kept_objects.ts';
import { keepLastBackupNote } from './last_backup_note.ts';
import { saveLastBackup } from './last_backup_store.ts';
import { BLOBS_AT_ONCE, DAMAGED_MAX, SWEEP_LOOK_MS, SWEEP_WAIT_MS } from './limits.ts';
import { type Manifest, nameAt, writeManifest } from './manifest.ts';
import { pruneBackups } from './prune_backups.ts';
import type { MadeBackup, MakeOptions } from './types.ts';

/** Keys that a server makes itself: without them earlier links end, and receipts are signed by another key. */
const NAMES = ['signing_secret', 'receipt_key.pem'];

/** Keeps the small files of DATA_DIR that are there; those given by settings are not. */
async function keepSmallFiles(dataDir: string, objects: KeptObjects): Promise<Manifest['files']> {
  const kept: Manifest['files'] = [];
  for (const name of NAMES) {
    const bytes = await readFile(join(dataDir, name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (bytes) kept.push({ name, sha256: (await objects.put(bytes)).sha256 });
  }
  return kept;
}

/** Writes them to a folder, readable by this user only. What a backup names otherwise is left out. */
export async function restoreSmallFiles(
  folder: string,
  objects: KeptObjects,
  files: Manifest['files'],
): Promise<void> {
  await makeFolder(folder);
  for (const { name, sha256 } of files.filter((file) => NAMES.includes(file.name)))
    await replaceFile(join(folder, name), Buffer.from(await objects.read(sha256)));
}

interface Listed {
  readonly lists: string[];
  readonly count: number;
}

/** One question for each: names of a sixteenth of all blobs are in memory at once. */
const DIGITS = '0123456789abcdef';

/** Keeps the names of all blobs that rows name at that moment, by their first two digits; also of those that are gone. */
async function listBlobs(moment: Queryable, objects: KeptObjects, steps: Steps): Promise<Listed> {
  const lists: string[] = [];
  let count = 0;
  for (const digit of DIGITS) {
    steps.proceed();
    const named = (await namedBlobs(moment, digit)).sort();
    for (const names of Object.values(Object.groupBy(named, (name) => name.slice(0, 2)))) {
      lists.push((await objects.putLines(names!)).sha256);
      count += names!.length;
    }
  }
  return { lists, count };
}

interface Source {
  readonly dataDir: string;
  readonly version: string;
  openDatabase(): Promise<ScriptableDatabase>;
  openBlobs(database: ScriptableDatabase): Promise<Objects>;
}

/**
 * Adds a backup to a place while servers read and write. Rows first, all of one moment; then the blobs they name, which nobody deletes meanwhile; last
 * what says that it is whole. Stopped or killed, it leaves no backup, and what it has copied the next one need not copy.
 * @throws Error saying what to do
 */
export async function makeBackup(
  source: Source,
  place: BackupPlace,
  { keep, ...options }: MakeOptions,
): Promise<MadeBackup> {
  const dataDir = resolve(source.dataDir);
  const { lost, letGo } = await holdBackup(place, dataDir);
  try {
    const database = await source.openDatabase();
    try {
      return await keepingBlobs(database, anyOf(options.signal, lost), (signal) =>
        writeBackup({ ...source, dataDir, database, place }, { keep, ...options, signal }),
      );
    } finally {
      await database.close();
    }
  } finally {
    await letGo();
  }
}

const anyOf = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));

interface Opened extends Source {
  readonly database: ScriptableDatabase;
  readonly place: BackupPlace;
}

async function writeBackup(
  { dataDir, version, database, place, openBlobs }: Opened,
  { keep, ...options }: MakeOptions,
): Promise<MadeBackup> {
  const objects = createKeptObjects(place);
  const blobs = await openBlobs(database);
  const madeAt = new Date();
  const { dumped, migrations, listed } = await atOneMoment(database, dataDir, async (moment) => ({
    migrations: await listApplied(moment),
    dumped: await dumpRows(moment, objects, stepsOf(options, 0, 0.5)),
    listed: await listBlobs(moment, objects, stepsOf(options)),
  }));
  const steps = stepsOf(options, 0.5, 1);
  const { damaged, ...copied } = await copyBlobs(blobs, objects, { ...listed, steps });
  const name = nameAt(madeAt);
  steps.proceed();
  await writeManifest(place, name, {
    format: 1,
    made_at: madeAt.toISOString(),
    version,
    migrations,
    tables: dumped.tables,
    blobs: { ...listed, bytes: copied.bytes, damaged },
    files: await keepSmallFiles(dataDir, objects),
  });
  const bytes = dumped.bytes + copied.bytes;
  const addedBytes = dumped.addedBytes + copied.addedBytes;
  await saveLastBackup(database, {
    name,
    madeAt,
    folder: place.where,
    bytes,
    addedBytes,
    damaged: damaged.length,
  });
  await keepLastBackupNote(dataDir, { name, made_at: madeAt.toISOString(), place: place.where });
  return {
    name,
    damaged,
    rows: dumped.rows,
    blobs: listed.count,
    bytes,
    addedBytes,
    pruned: keep === undefined ? [] : await pruneBackups(place, objects, keep),
  };
}

/** Runs `work` while no server sweeps blobs; its signal ends it where one might. */
async function keepingBlobs<T>(
  database: ScriptableDatabase,
  stopped: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const leases = createLeases(database);
  const lose = () => lost.abort(new Error('The database was away for too long. Back up again.'));
  const hold = () => leases.hold(choreLease('blobs'), lose, { evenIfDone: true });
  const until = performance.now() + SWEEP_WAIT_MS;
  let letGo = await hold();
  while (!letGo) {
    if (performance.now() > until)
      throw new Error(
        'A server has been sweeping blobs, or another backup been made, for ten minutes. Back up again later.',
      );
    await sleep(SWEEP_LOOK_MS, undefined, { signal: stopped });
    letGo = await hold();
  }
  try {
    return await work(anyOf(stopped, lost.signal));
  } finally {
    // One that cannot be told takes it back after a minute.
    await letGo().catch(() => {});
  }
}

interface CopiedBlobs {
  readonly bytes: number;
  readonly addedBytes: number;
  /** Those that are gone, or are not what was kept. */
  readonly damaged: string[];
}

/**
 * Keeps the listed blobs that are not kept yet. None of them is deleted meanwhile.
 * @throws Error where more of them are damaged than can be an accident
 */
async function copyBlobs(
  blobs: Objects,
  objects: KeptObjects,
  { lists, count, steps }: { lists: string[]; count: number; steps: Steps },
): Promise<CopiedBlobs> {
  const copied = { bytes: 0, addedBytes: 0, damaged: [] as string[] };
  await eachBlob({ lists, count }, { objects, steps }, async (sha256) => {
    const kept = await objects.sizeOf(sha256);
    if (kept !== undefined) {
      copied.bytes += kept;
      return;
    }
    const bytes = await blobs.read(blobName(sha256));
    if (bytes && objects.nameOf(bytes) === sha256) {
      const { addedBytes } = await objects.put(bytes);
      copied.bytes += bytes.length;
      copied.addedBytes += addedBytes;
      return;
    }
    copied.damaged.push(sha256);
    if (copied.damaged.length > DAMAGED_MAX)
      throw new Error(
        `More than ${DAMAGED_MAX} blobs that the database names are damaged or gone. Do DATA_DIR and STORAGE_URL name where this database keeps its bytes?`,
      );
  });
  return copied;
}

/** Does the same with every blob a backup lists, a few at a time. */
export async function eachBlob(
  { lists, count }: Pick<NonNullable<Manifest['blobs']>, 'lists' | 'count'>,
  { objects, steps }: { objects: KeptObjects; steps: Steps },
  work: (sha256: string) => Promise<void>,
): Promise<void> {
  let done = 0;
  for (const list of lists) {
    const names = await objects.readLines(list);
    const next = names.values();
    const worker = async () => {
      for (const name of next) {
        steps.proceed();
        await work(name);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: BLOBS_AT_ONCE }, worker));
    steps.progress(done / count, `blobs ${names[0]?.slice(0, 2)}`);
  }
}
