import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ScriptableDatabase } from '../types.ts';

/** A file modified this shortly before its copy may have been modified again with the same timestamp. */
const CLOCK_TICK_MS = 2_000;
/** Keep-alive interval: the server disconnects clients that are silent in a transaction. */
const SIGN_MS = 500;

/** Files by their path in the cluster, with their state when copied. */
type Copied = Map<string, { readonly size: number; readonly mtimeMs: number }>;

/**
 * Copies the files of an embedded database that another process has open. Most of them are copied while it works; then all writers
 * wait while the changes are copied, so that all files belong to one moment.
 * @param database joined: its transactions block those of the server
 */
export async function copyCluster(database: ScriptableDatabase, from: string, to: string): Promise<void> {
  await database.query('checkpoint');
  const startedAt = Date.now();
  const first = await copyChanged(from, to, new Map());
  await database.transaction(async (tx) => {
    // The checkpoint writes cached pages to the files. No write follows until the transaction ends.
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

/** Copies files that have changed since `before`; returns the state of all files. */
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

/** Undefined where it has been deleted meanwhile. Uses copy-on-write clones where the file system supports them. */
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
