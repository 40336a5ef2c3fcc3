import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readLastBackupNote } from './last_backup_note.ts';
import { listBackups } from './manifest.ts';
import { createFolderPlace, snapshotFolder } from './snapshot_before_migrating.ts';

/**
 * Describes how to restore an embedded database that cannot be opened: from the newest backup of this folder or its newest
 * snapshot, each with its command. Does not read the database.
 */
export async function describeRecovery(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  const backup = await readLastBackupNote(folder);
  const snapshots = snapshotFolder(folder);
  const snapshot = existsSync(snapshots)
    ? (await listBackups(createFolderPlace(snapshots))).at(-1)
    : undefined;
  const at = `--data-dir ${quoted(folder)}`;
  const lines = [
    'Copy the folder "database" aside before you change anything.',
    backup
      ? `Newest backup: ${backup.name} in ${backup.place}. Restore it with: npx atelier restore ${quoted(backup.place)} --at ${backup.name} --replace ${at}`
      : `No backup made with this folder is known. Restore one made elsewhere with: npx atelier restore <place> --replace ${at}`,
    snapshot
      ? `Newest snapshot before a migration: ${snapshot}, of the database alone. Restore it with: npx atelier rollback --at ${snapshot} --yes ${at}`
      : 'There is no snapshot from before a migration.',
    'Both put what is there aside. Recovery is described in docs/operating/backup.md.',
  ];
  return lines.join('\n');
}

/** Shell quoting, for paths with special characters. */
const quoted = (path: string): string =>
  /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
