import { join } from 'node:path';
import { holdLock } from '../../database/process_lock.ts';

const LOCK = 'backup.lock';

/**
 * Makes this process the only one that adds to the backups in `folder`, and that backs `dataDir` up. Returns a function that gives both back.
 * @throws Error naming the process that does so already
 */
export function holdBackup(folder: string, dataDir: string): () => void {
  const held: (() => void)[] = [];
  const letGo = () => {
    for (const giveBack of held) giveBack();
  };
  try {
    for (const place of [folder, dataDir])
      held.push(holdLock(join(place, LOCK), ({ pid }) => inUse(place, pid)));
    return letGo;
  } catch (error) {
    letGo();
    throw error;
  }
}

const inUse = (place: string, pid: number): Error =>
  new Error(`Process ${pid} makes a backup of or in ${place}. Wait until it has ended.`);
