import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writePlainly } from './copying/tables.ts';
import { openEmbedded } from './embedded.ts';
import { isJoined } from './join_database.ts';
import type { Queryable, ScriptableDatabase } from './types.ts';

/** Private copy beside the embedded database, for the duration of the read. */
const COPY = 'database_copy';

/**
 * Runs `work` on a snapshot while servers keep writing. On PostgreSQL that is a transaction. For an embedded database that a server
 * has open it is a copy of its files, because a transaction in its only session would block all others.
 * @param database without a statement timeout, and not shared
 * @param dataDir has space for a second embedded database; one process at a time does this there
 */
export async function withSnapshot<T>(
  database: ScriptableDatabase,
  dataDir: string,
  work: (moment: Queryable) => Promise<T>,
): Promise<T> {
  if (!isJoined(database)) return readInTransaction(database, work);
  const folder = join(dataDir, COPY);
  await rm(folder, { recursive: true, force: true });
  try {
    await copyCluster(database, join(dataDir, 'database'), join(folder, 'database'));
    const copy = await openEmbedded(folder);
    try {
      return await readInTransaction(copy, work);
    } finally {
      await copy.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const readInTransaction = <T>(
  database: ScriptableDatabase,
  work: (moment: Queryable) => Promise<T>,
): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    await writePlainly(tx);
    return work(tx);
  });

/** A file modified this shortly before its copy may have been modified again with the same timestamp. */
const CLOCK_TICK_MS = 2_000;
/** Keep-alive interval: the server disconnects clients that are silent in a transaction. */
const KEEP_ALIVE_MS = 500;

/** Files by their path in the cluster, with their state when copied. */
type Copied = Map<string, { readonly size: number; readonly mtimeMs: number }>;

/**
 * Copies the files of an embedded database that another process has open. Most of them are copied while it works; then all writers
 * wait while the changes are copied, so that all files belong to one moment.
 * @param database joined: its transactions block those of the server
 */
async function copyCluster(database: ScriptableDatabase, from: string, to: string): Promise<void> {
  await database.query('checkpoint');
  const startedAt = Date.now();
  const first = await copyChanged(from, to, new Map());
  await database.transaction(async (tx) => {
    // The checkpoint writes cached pages to the files. No write follows until the transaction ends.
    await tx.query('checkpoint');
    const sign = setInterval(() => void tx.query('select 1').catch(() => {}), KEEP_ALIVE_MS);
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

/** Undefined if it has been deleted meanwhile. Uses copy-on-write clones if the file system supports them. */
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
