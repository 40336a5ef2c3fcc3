import { join } from 'node:path';
import { holdLock } from '../../../core/database/process_lock.ts';
import type { BackupPlace, HeldPlace } from './deps.ts';
import { BACKUP_LOCK } from './limits.ts';

/**
 * Makes this process the only one that adds to the backups in a place, and that backs `dataDir` up.
 * @throws Error naming the process that does so already
 */
export async function holdBackup(place: BackupPlace, dataDir: string): Promise<HeldPlace> {
  const held = await place.hold();
  try {
    const letGo = holdLock(join(dataDir, BACKUP_LOCK), ({ pid }) =>
      alreadyBackingUp(dataDir, `Process ${pid}`),
    );
    return {
      ...held,
      async letGo() {
        letGo();
        await held.letGo();
      },
    };
  } catch (error) {
    await held.letGo();
    throw error;
  }
}

export const alreadyBackingUp = (where: string, who: string): Error =>
  new Error(`${who} makes a backup of or in ${where}. Wait until it has ended.`);
