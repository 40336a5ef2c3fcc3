import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes files that were not used for the longest until the rest has at most so many bytes; returns how many went. */
export async function sweepFolder(folder: string, bytesMax: number): Promise<number> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), ...(await sizeAndAge(join(folder, name))) })),
  );
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  let removed = 0;
  for (const { path, size } of files.sort((a, b) => a.usedMs - b.usedMs)) {
    if (bytes <= bytesMax) break;
    await rm(path, { force: true });
    bytes -= size;
    removed += 1;
  }
  return removed;
}

const sizeAndAge = (path: string): Promise<{ size: number; usedMs: number }> =>
  stat(path).then(
    ({ size, mtimeMs }) => ({ size, usedMs: mtimeMs }),
    () => ({ size: 0, usedMs: 0 }),
  );
