import { join, resolve } from 'node:path';
import { listApplied } from '../../../core/database/migrate.ts';
import { holdLock } from '../../../core/database/process_lock.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { withSnapshot } from '../../../core/database/with_snapshot.ts';
import { makeFolder, spareBytes } from '../../../core/storage/blobs/disk.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { type BackupPlace, stepsOf } from './deps.ts';
import { dumpRows } from './dump_rows.ts';
import { alreadyBackingUp, holdBackup } from './hold_backup.ts';
import { createKeptObjects } from './kept_objects.ts';
import { BACKUP_LOCK } from './limits.ts';
import { nameAt, writeManifest } from './manifest.ts';
import { pruneBackups } from './prune_backups.ts';

/** Folder of the snapshots of a data folder. */
export const snapshotFolder = (dataDir: string): string => join(resolve(dataDir), 'before_migrations');

interface Place {
  readonly dataDir: string;
  readonly version: string;
  /** Number of snapshots to keep, including this one. */
  readonly keep: number;
  readonly freeBytesMin: number | undefined;
}

/**
 * Backs up every row before a migration, so that `atelier rollback` can restore them.
 * @param database without a statement timeout, and not shared
 * @throws Error where the disk is too full, naming the setting to change
 */
export async function snapshotBeforeMigrating(
  database: ScriptableDatabase,
  { dataDir, version, keep, freeBytesMin }: Place,
): Promise<void> {
  const folder = snapshotFolder(dataDir);
  await makeFolder(folder);
  await requireRoom(database, folder, freeBytesMin);
  const place = createFolderPlace(folder);
  const { release } = await holdBackup(place, dataDir);
  try {
    const objects = createKeptObjects(place);
    const madeAt = new Date();
    const { dumped, migrations } = await withSnapshot(database, dataDir, async (moment) => ({
      migrations: await listApplied(moment),
      dumped: await dumpRows(moment, objects, stepsOf({})),
    }));
    await writeManifest(place, nameAt(madeAt), {
      format: 1,
      made_at: madeAt.toISOString(),
      version,
      migrations,
      tables: dumped.tables,
      files: [],
    });
    await pruneBackups(place, objects, keep);
  } finally {
    await release();
  }
}

/** Compressed rows take less space than their tables and indexes. */
async function requireRoom(
  database: ScriptableDatabase,
  folder: string,
  freeBytesMin: number | undefined,
): Promise<void> {
  const [size] = await database.query<{ bytes: number }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes
     from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  const spare = await spareBytes(folder, freeBytesMin);
  if (size!.bytes <= spare) return;
  const [needed, there] = [size!.bytes, Math.max(0, spare)].map((bytes) => Math.ceil(bytes / 2 ** 20));
  throw new Error(
    `This version migrates the database and first stores a snapshot of it. The snapshot may need ${needed} MiB, but the disk of ${folder} has only ${there} MiB available (DISK_FREE_MIN_BYTES is kept free). Free disk space, or back up to another disk with the previous version and start with MIGRATION_SNAPSHOTS=0.`,
  );
}

/** Backups in a local folder. Its files are readable by this user only. */
export function createFolderPlace(target: string): BackupPlace {
  const folder = resolve(target);
  return {
    where: folder,
    objects: createFileObjects(join(folder, 'objects')),
    manifests: createFileObjects(join(folder, 'backups')),
    async hold() {
      await makeFolder(folder);
      const release = holdLock(join(folder, BACKUP_LOCK), ({ pid }) =>
        alreadyBackingUp(folder, `Process ${pid}`),
      );
      return { release: async () => release() };
    },
  };
}
