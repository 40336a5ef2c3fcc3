import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isComplete, prepareClusterFolder } from './cluster_folder.ts';
import type { ScriptableDatabase } from './contract.ts';
import { createExchange, type Reply } from './exchange.ts';
import { lockFolder } from './folder_lock.ts';
import { oneSession } from './one_session.ts';

/** What the thread opens. */
export interface Cluster {
  /** Undefined: in memory. */
  readonly folder: string | undefined;
  /** A new one is not copied from the template. */
  readonly isBare: boolean;
}

/**
 * PostgreSQL in WebAssembly, in a thread of its own. A statement costs one message there and one back.
 * It writes through the operating system without fsync: what it acknowledged survives kill -9, not a power cut.
 * @param dataDir folder that gets `database/` (mode 0700) and its lock; `memory` keeps everything in memory
 * @param options `isBare`: a new one has no tables, not even those of today
 * @throws FolderInUse when another live process has the folder; DatabaseUnreadable when its files cannot be opened
 */
export async function openEmbedded(
  dataDir: string,
  { isBare = false }: { isBare?: boolean } = {},
): Promise<ScriptableDatabase> {
  if (dataDir === 'memory') return startThread({ folder: undefined, isBare }, () => {});
  const folder = join(dataDir, 'database');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  try {
    requireVersionFile(folder);
    prepareClusterFolder(folder);
    return await startThread({ folder, isBare }, unlock);
  } catch (error) {
    unlock();
    throw new DatabaseUnreadable(folder, error);
  }
}

/** The embedded database is there and cannot be opened: mostly because its files are damaged. */
export class DatabaseUnreadable extends Error {
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The database in ${folder} cannot be opened; its files may be damaged (${reason}).`, { cause });
  }
}

/** Without its version PGlite takes a cluster for a new one, and writes an empty database over it. */
function requireVersionFile(folder: string): void {
  if (isComplete(folder) && !existsSync(join(folder, 'PG_VERSION'))) throw new Error('PG_VERSION is missing');
}

async function startThread(cluster: Cluster, unlock: () => void): Promise<ScriptableDatabase> {
  const worker = new Worker(new URL('./embedded_worker.ts', import.meta.url), { workerData: cluster });
  let spend: ((cpuSeconds: number) => void) | undefined;
  const exchange = createExchange(
    (request) => worker.postMessage(request),
    (cpuSeconds) => spend?.(cpuSeconds),
  );
  worker.on('message', (reply: Reply) => exchange.receive(reply));
  worker.on('error', (error) =>
    exchange.end(new Error(`The embedded database has stopped: ${error.message}`, { cause: error })),
  );
  worker.on('exit', () => exchange.end(new Error('The embedded database is closed.')));
  await exchange.opened;
  const stop = async () => {
    await exchange.ask({ close: true });
    await worker.terminate();
  };
  return {
    ...oneSession({ connection: exchange.connection, stop: () => stop().finally(unlock) }),
    onSpent(listener) {
      spend = listener;
    },
  };
}
