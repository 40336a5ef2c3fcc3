import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choreLease } from '../../../core/cleanup/start_sweeping.ts';
import { createLeases } from '../../../core/cluster/leases/leases.ts';
import { atOneMoment } from '../../../core/database/at_one_moment.ts';
import { listApplied } from '../../../core/database/migrate.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import { copyBlobs } from './copy_blobs.ts';
import { type BackupPlace, stepsOf } from './deps.ts';
import { dumpRows } from './dump_rows.ts';
import { holdBackup } from './hold_backup.ts';
import { createKeptObjects } from './kept_objects.ts';
import { keepLastBackupNote } from './last_backup_note.ts';
import { saveLastBackup } from './last_backup_store.ts';
import { SWEEP_LOOK_MS, SWEEP_WAIT_MS } from './limits.ts';
import { listBlobs } from './list_blobs.ts';
import { nameAt, writeManifest } from './manifest.ts';
import { pruneBackups } from './prune_backups.ts';
import { keepSmallFiles } from './small_files.ts';
import type { MadeBackup, MakeOptions } from './types.ts';

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
    ...{ format: 1, made_at: madeAt.toISOString(), version, migrations, tables: dumped.tables },
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
    ...{ name, damaged, rows: dumped.rows, blobs: listed.count, bytes, addedBytes },
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
