import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A memory file system on Linux. */
const MEMORY = '/dev/shm';
/** Half a gigabyte of it was in use at most; containers often have 64 MiB. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/**
 * Gives the run a folder for temporary files, in memory if there is enough: each service of a test copies a
 * database of 43 MiB, and syncs its writes to disk. Removed when the run ends, even by Ctrl-C. An existing
 * TMPDIR takes precedence.
 */
export default function provideTemporaryFolder(): void {
  if (process.env.TMPDIR || !hasRoom()) return;
  const folder = mkdtempSync(join(MEMORY, 'atelier-tests-'));
  process.env.TMPDIR = folder;
  // After the servers of all projects have stopped, whose folders are in it.
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
