import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownCommand } from '../../../config/config.ts';
import { shellWord } from '../../../config/shell_word.ts';
import { readLastBackupNote } from './last_backup.ts';
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
  const at = `--data-dir ${shellWord(folder)}`;
  const command = (words: string) => ownCommand(`${words} ${at}`, { folder: process.cwd(), isStopped: true });
  const lines = [
    'Copy the folder "database" to another place before you change anything.',
    backup
      ? `Newest backup: ${backup.name} in ${backup.place}. Restore it with: ${command(`restore ${shellWord(backup.place)} --at ${backup.name} --replace`)}`
      : `No backup of this folder is recorded. Restore another one with: ${command('restore <place> --replace')}`,
    snapshot
      ? `Newest snapshot before a migration: ${snapshot}, database only. Restore it with: ${command(`rollback --at ${snapshot} --yes`)}`
      : 'There is no snapshot from before a migration.',
    'Both commands move the existing data aside. See docs/operating/backup.md.',
  ];
  return lines.join('\n');
}
