import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Checks the lock file of a server in its folder. @throws Error if its process is alive */
export async function refuseRunning(dataDir: string): Promise<void> {
  const path = join(dataDir, 'server.json');
  if (!existsSync(path)) return;
  const { pid } = JSON.parse(await readFile(path, 'utf8')) as { pid: number };
  try {
    process.kill(pid, 0);
  } catch {
    return;
  }
  throw runningError();
}

export const runningError = (): Error =>
  new Error(
    'A server still uses DATA_DIR. Stop all servers of this database first: files that they save during the move would be left behind.',
  );
