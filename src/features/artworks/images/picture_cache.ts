import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Reserve, reserveNothing } from '../../../core/request_scope/request_scope.ts';
import { isMissing, makeFolder, refuseFullDisk, writeNewFile } from '../../../core/storage/blobs/disk.ts';

/** Deletes the least recently used files until the rest fits into this size; returns the number deleted. */
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

/** Cache of museum images. All of them can be fetched again. */
export interface PictureCache {
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Evicts the least recently requested images; returns their number. */
  sweep(): Promise<number>;
}

export function createPictureCache(
  folder: string,
  bytesMax: number,
  reserve: Reserve = reserveNothing,
): PictureCache {
  const pathOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'));
  return {
    async get(key) {
      const path = pathOf(key);
      const bytes = await readReserved(path, reserve).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      // Records the last use. A file evicted meanwhile has been read already.
      if (bytes) await utimes(path, new Date(), new Date()).catch(() => {});
      return bytes;
    },
    async put(key, bytes) {
      const path = pathOf(key);
      const draft = `${path}.${randomBytes(8).toString('hex')}`;
      await refuseFullDisk(async () => {
        await makeFolder(folder, false);
        await writeNewFile(draft, bytes, false);
        await rename(draft, path);
      }).catch(() => rm(draft, { force: true }));
    },
    sweep: () => sweepFolder(folder, bytesMax),
  };
}

async function readReserved(path: string, reserve: Reserve): Promise<Uint8Array> {
  await reserve((await stat(path)).size);
  return readFile(path);
}
