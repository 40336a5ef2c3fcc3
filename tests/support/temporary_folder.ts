import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps in memory what lies here. */
const MEMORY = '/dev/shm';
/** Half a gigabyte of it was seen in use; containers often have 64 MiB. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/**
 * Gives the run a folder for temporary files, in memory where there is room: each service of a test copies a database of 43 MiB, and what
 * it keeps it flushes to the disk. It goes when the run ends, also by Ctrl-C. Whoever sets TMPDIR has chosen a place already.
 */
export default function provideTemporaryFolder(): void {
  if (process.env.TMPDIR || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY, 'atelier-tests-'));
  process.env.TMPDIR = folder;
  // After the servers of all projects have stopped, which have their folders in it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}
