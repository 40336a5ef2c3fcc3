import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { digestTable, listTables } from '../../../core/database/copying/tables.ts';
import { DatabaseUnreadable } from '../../../core/database/embedded.ts';
import { listApplied } from '../../../core/database/migrate.ts';
import { openNewDatabase } from '../../../core/database/new_database.ts';
import { isDatabaseDamage } from '../../../core/database/sql_error.ts';
import { requireSameStorage } from '../../../core/storage/binding/same_storage.ts';
import { checkObjects } from './check_backup.ts';
import { stepsOf } from './deps.ts';
import { createFolderPlace } from './folder_place.ts';
import { createKeptObjects } from './kept_objects.ts';
import { loadRows } from './load_rows.ts';
import { type Manifest, nameAt, readManifest } from './manifest.ts';
import { BOUND_TO_DATABASE, moveAside } from './move_aside.ts';
import { keepServersOut, refuseServing } from './refuse_serving.ts';
import type { RestorePlace } from './restore_backup.ts';
import { snapshotFolder } from './snapshot_before_migrating.ts';
import type { ChooseOptions, RestoredBackup, Rollback } from './types.ts';
import { leaveUnfinishedNote, removeUnfinishedNote } from './unfinished_note.ts';

/** The new database is made in this folder of DATA_DIR first. */
const BEING_MADE = 'rolling_back';

/** What going back to a snapshot undoes. @throws Error where there is none, or a server runs */
export async function previewRollback(
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
    await refuseServing(database);
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
 * Brings the database back to what a snapshot holds. What was there is put aside. Stored bytes stay: of those that were swept since, nothing comes back.
 * @throws Error where a server runs, or the snapshot is damaged
 */
export async function rollBack(
  place: RestorePlace,
  { at, ...options }: ChooseOptions,
): Promise<RestoredBackup> {
  const { databaseUrl } = place;
  const dataDir = resolve(place.dataDir);
  const snapshots = createFolderPlace(snapshotFolder(dataDir));
  const { name, manifest } = await readManifest(snapshots, at);
  const letIn = await keepServersOut(dataDir);
  const making = join(dataDir, BEING_MADE);
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
      const { schemaAside } = await fresh.takePlace();
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
