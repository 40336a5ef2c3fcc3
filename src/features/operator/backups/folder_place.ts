import { join, resolve } from 'node:path';
import { holdLock } from '../../../core/database/process_lock.ts';
import { makeFolder } from '../../../core/storage/blobs/disk.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import type { BackupPlace } from './deps.ts';
import { alreadyBackingUp } from './hold_backup.ts';
import { BACKUP_LOCK } from './limits.ts';

/** A folder of this machine. Its files are readable by this user only. */
export function createFolderPlace(target: string): BackupPlace {
  const folder = resolve(target);
  return {
    where: folder,
    objects: createFileObjects(join(folder, 'objects')),
    manifests: createFileObjects(join(folder, 'backups')),
    async hold() {
      await makeFolder(folder);
      const letGo = holdLock(join(folder, BACKUP_LOCK), ({ pid }) =>
        alreadyBackingUp(folder, `Process ${pid}`),
      );
      return { letGo: async () => letGo() };
    },
  };
}
