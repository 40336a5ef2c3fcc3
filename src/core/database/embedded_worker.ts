import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { isComplete, markComplete } from './cluster_folder.ts';
import { copyTemplate } from './cluster_template.ts';
import type { Cluster } from './embedded.ts';
import { type Reply, type Request, replyTo } from './exchange.ts';
import { LeanPGlite } from './lean_pglite.ts';
import { EMBEDDED_CACHE_MIB } from './limits.ts';
import { createPreparedStatements } from './prepared_statements.ts';
import { readSnapshot, takeSnapshot } from './snapshot.ts';

/** The thread the embedded database lives in: on the main thread it would starve everything else. */

const port = parentPort!;
let last: Promise<void> = Promise.resolve();
let snapshotKept: Promise<void> = Promise.resolve();

const database = await open(workerData as Cluster);
const statements = createPreparedStatements(database);
port.on('message', (request: Request) => {
  last = last.then(() => answer(request));
});
port.postMessage({ id: 0, rows: [] } satisfies Reply);

async function open({ folder, isBare }: Cluster): Promise<PGlite> {
  if (folder !== undefined && isComplete(folder)) return await create(folder);
  if (folder !== undefined && !isBare && (await copyTemplate(folder))) {
    markComplete(folder);
    return await create(folder);
  }
  const snapshot = await readSnapshot();
  const fresh = await create(folder, snapshot);
  if (!snapshot) snapshotKept = (await takeSnapshot(fresh)).kept;
  if (folder !== undefined) markComplete(folder);
  return fresh;
}

async function create(folder: string | undefined, snapshot?: Blob): Promise<PGlite> {
  const database = new LeanPGlite({
    ...(folder !== undefined && { dataDir: folder }),
    ...(snapshot && { loadDataDir: snapshot }),
    parsers: { [types.INT8]: Number, [types.NUMERIC]: Number, [types.DATE]: String },
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${EMBEDDED_CACHE_MIB}MB`],
  });
  await database.waitReady;
  return database;
}

/** After a failure that ends its process elsewhere, PostgreSQL answers nothing here and keeps a processor busy: it ends with its thread. */
async function answer(request: Request): Promise<void> {
  const before = process.threadCpuUsage();
  const rows = rowsOf(request);
  const reply = await replyTo(request.id, rows);
  if ('error' in reply && isEnd(reply.error)) await rows;
  const { user, system } = process.threadCpuUsage(before);
  port.postMessage({ ...reply, cpuSeconds: (user + system) / 1e6 } satisfies Reply);
}

/** PostgreSQL's documentation, "Message Severity Levels". */
const isEnd = ({ severity }: Record<string, unknown>): boolean =>
  severity === 'PANIC' || severity === 'FATAL';

async function rowsOf(request: Request): Promise<unknown[]> {
  if ('close' in request) {
    await database.close();
    await snapshotKept;
    return [];
  }
  if ('script' in request) {
    await database.exec(request.script);
    await statements.forget();
    return [];
  }
  return await statements.query(request.text, request.values);
}
