import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps in memory what lies here. */
const MEMORY = '/dev/shm';
/** The whole run at once takes a tenth of it; containers often have 64 MiB. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/**
 * Gives the run a folder for temporary files that goes when it ends, in memory where there is room: each service of a test copies a
 * database of 43 MiB, and what it keeps it flushes to the disk. Whoever sets TMPDIR has chosen a place already.
 */
export default function provideTemporaryFolder(): (() => void) | undefined {
  if (process.env.TMPDIR || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(MEMORY, 'atelier-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}
