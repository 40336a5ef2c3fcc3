import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ScriptableDatabase } from '../types.ts';

/** A file that was written so shortly before it was copied may have been written again without its time showing it. */
const CLOCK_TICK_MS = 2_000;
/** The server shows out who falls silent in a transaction. */
const SIGN_MS = 500;

/** Files by their path in the cluster, as they were when they were copied. */
type Copied = Map<string, { readonly size: number; readonly mtimeMs: number }>;

/**
 * Copies the files of an embedded database that another process has open. Most of it goes while that works on; then everybody waits for what has
 * been written meanwhile, so that all files are of one moment.
 * @param database joined: its turns are everybody's
 */
export async function copyCluster(database: ScriptableDatabase, from: string, to: string): Promise<void> {
  await database.query('checkpoint');
  const startedAt = Date.now();
  const first = await copyChanged(from, to, new Map());
  await database.transaction(async (tx) => {
    // What the session holds in memory goes to its files, and nobody writes until the transaction ends.
    await tx.query('checkpoint');
    const sign = setInterval(() => void tx.query('select 1').catch(() => {}), SIGN_MS);
    try {
      const settled = [...first].filter(([, { mtimeMs }]) => mtimeMs < startedAt - CLOCK_TICK_MS);
      const last = await copyChanged(from, to, new Map(settled));
      for (const path of first.keys()) if (!last.has(path)) await rm(join(to, path), { force: true });
    } finally {
      clearInterval(sign);
    }
  });
}

/** Copies what is not as it was in `before`; answers all there is. */
async function copyChanged(from: string, to: string, before: Copied): Promise<Copied> {
  const found: Copied = new Map();
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    if (entry.isDirectory()) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
    if (!entry.isFile()) continue;
    const seen = await copyOne(join(from, path), join(to, path), before.get(path));
    if (seen) found.set(path, seen);
  }
  return found;
}

/** Undefined where it has gone meanwhile. Where the file system can, the copy takes no time and no room. */
async function copyOne(from: string, to: string, before: { size: number; mtimeMs: number } | undefined) {
  try {
    const { size, mtimeMs } = await stat(from);
    if (before?.size === size && before.mtimeMs === mtimeMs) return before;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await chmod(to, 0o600);
    return { size, mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
