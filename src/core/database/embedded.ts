import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AtelierError } from '../errors/atelier_error.ts';
import { isComplete, prepareClusterFolder } from './cluster_folder.ts';
import { createExchange, oneSession, type Reply } from './exchange.ts';
import { lockFolder } from './folder_lock.ts';
import { DATABASE_RETRY_SECONDS, EMBEDDED_REOPEN_MS } from './limits.ts';
import type { Connection, ScriptableDatabase } from './types.ts';

/** The cluster that the thread opens. */
export interface Cluster {
  /** Undefined: in memory. */
  readonly folder: string | undefined;
  /** A new cluster is not copied from the template. */
  readonly isBare: boolean;
}

/**
 * PostgreSQL in WebAssembly, in its own thread. A statement costs one message each way. It writes through the operating system without
 * fsync: acknowledged writes survive kill -9, not a power failure.
 * @param dataDir folder for `database/` (mode 0700) and its lock; `memory` keeps everything in memory
 * @param options `isBare`: a new database has no tables
 * @throws FolderInUse if another live process has the folder; DatabaseUnreadable if its files cannot be opened
 */
export async function openEmbedded(
  dataDir: string,
  { isBare = false }: { isBare?: boolean } = {},
): Promise<ScriptableDatabase> {
  if (dataDir === 'memory') return openThreads({ folder: undefined, isBare }, () => {});
  const folder = join(dataDir, 'database');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  try {
    requireVersionFile(folder);
    prepareClusterFolder(folder);
    return await openThreads({ folder, isBare }, unlock);
  } catch (error) {
    unlock();
    throw new DatabaseUnreadable(folder, error);
  }
}

/** The embedded database exists and cannot be opened, usually because its files are damaged. */
export class DatabaseUnreadable extends Error {
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The database in ${folder} cannot be opened; its files may be damaged (${reason}).`, { cause });
  }
}

/** Without its version file, PGlite treats a cluster as new and overwrites it with an empty database. */
function requireVersionFile(folder: string): void {
  if (isComplete(folder) && !existsSync(join(folder, 'PG_VERSION'))) throw new Error('PG_VERSION is missing');
}

interface Thread {
  readonly connection: Connection;
  /** The error that stopped the thread, if it stopped by itself. */
  failure(): Error | undefined;
  stop(): Promise<void>;
}

type Spend = (cpuSeconds: number) => void;

/**
 * Runs the database in a thread, and restarts it in a new thread after a write failure, as on a disk that became read-only: the
 * files are read again, so that memory and disk agree. An in-memory database is lost with its thread.
 */
async function openThreads(cluster: Cluster, unlock: () => void): Promise<ScriptableDatabase> {
  const { folder } = cluster;
  let listener: Spend | undefined;
  const start = () => startThread(cluster, (cpuSeconds) => listener?.(cpuSeconds));
  let thread = await start();
  let reopening: Promise<Connection> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  const reopen = async (folder: string): Promise<Connection> => {
    triedAt = performance.now();
    try {
      requireVersionFile(folder);
      thread = await start();
      return thread.connection;
    } catch (error) {
      throw hasStopped(error);
    } finally {
      reopening = undefined;
    }
  };
  const connection = (): Connection => {
    const isDue = performance.now() - triedAt >= EMBEDDED_REOPEN_MS;
    if (!thread.failure() || folder === undefined || !(reopening || isDue)) return thread.connection;
    reopening ??= reopen(folder);
    return onceOpen(reopening);
  };
  const stop = async () => {
    await reopening?.catch(() => {});
    if (!thread.failure()) await thread.stop();
  };
  return {
    ...oneSession({ connection, stop: () => stop().finally(unlock) }),
    onSpent(told) {
      listener = told;
    },
  };
}

const onceOpen = (opening: Promise<Connection>): Connection => ({
  query: async (text, values) => (await opening).query(text, values),
  script: async (text) => (await opening).script(text),
});

async function startThread(cluster: Cluster, spend: Spend): Promise<Thread> {
  const worker = new Worker(new URL('./embedded_worker.ts', import.meta.url), { workerData: cluster });
  const exchange = createExchange((request) => worker.postMessage(request), spend);
  let failure: Error | undefined;
  let isOpen = false;
  worker.on('message', (reply: Reply) => exchange.receive(reply));
  worker.on('error', (error: Error) => {
    const reason = isOpen ? hasStopped(error) : error;
    failure = reason;
    exchange.end(reason);
    if (isOpen) process.emitWarning(`The embedded database has stopped: ${error.message}`);
  });
  worker.on('exit', () => exchange.end(new Error('The embedded database is closed.')));
  await exchange.opened;
  isOpen = true;
  return {
    connection: exchange.connection,
    failure: () => failure,
    async stop() {
      await exchange.ask({ close: true });
      await worker.terminate();
    },
  };
}

const hasStopped = (cause: unknown): AtelierError =>
  new AtelierError(
    'database_unavailable',
    'The embedded database could not write to its disk and has stopped. It is reopened at the next call.',
    { cause, retryAfterSeconds: DATABASE_RETRY_SECONDS },
  );
