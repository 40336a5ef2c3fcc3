import { join } from 'node:path';
import { holdLock } from '../../../core/database/process_lock.ts';
import type { BackupPlace, HeldPlace } from './deps.ts';
import { BACKUP_LOCK } from './limits.ts';

/**
 * Locks the backups of a storage, and `dataDir`, for this process.
 * @throws Error naming the process that holds the lock
 */
export async function holdBackup(place: BackupPlace, dataDir: string): Promise<HeldPlace> {
  const held = await place.hold();
  try {
    const release = holdLock(join(dataDir, BACKUP_LOCK), ({ pid }) =>
      alreadyBackingUp(dataDir, `Process ${pid}`),
    );
    return {
      ...held,
      async release() {
        release();
        await held.release();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

export const alreadyBackingUp = (where: string, who: string): Error =>
  new Error(`${who} is running a backup of or to ${where}. Wait until it has finished.`);
