import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { isComplete, markComplete } from './cluster_folder.ts';
import { copyTemplate } from './cluster_template.ts';
import { createPreparedStatements } from './prepared_statements.ts';
import { readSnapshot, takeSnapshot } from './snapshot.ts';

/** The thread the embedded database lives in: on the main thread it would starve everything else. */

export type Request =
  | { readonly id: number; readonly text: string; readonly values: readonly unknown[] }
  | { readonly id: number; readonly script: string }
  | { readonly id: number; readonly close: true };

export type Reply =
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly error: { readonly message: string } & Record<string, unknown> };

const port = parentPort!;
/** Requests are answered in the order they came. */
let last: Promise<void> = Promise.resolve();
let snapshotKept: Promise<void> = Promise.resolve();

const database = await open(workerData as { folder: string | undefined });
const statements = createPreparedStatements(database);
port.on('message', (request: Request) => {
  last = last.then(() => answer(request));
});
port.postMessage({ id: 0, rows: [] } satisfies Reply);

async function open({ folder }: { folder: string | undefined }): Promise<PGlite> {
  if (folder !== undefined && isComplete(folder)) return await create(folder);
  if (folder !== undefined && (await copyTemplate(folder))) {
    markComplete(folder);
    return await create(folder);
  }
  const snapshot = await readSnapshot();
  const fresh = await create(folder, snapshot);
  if (!snapshot) snapshotKept = (await takeSnapshot(fresh)).kept;
  if (folder !== undefined) markComplete(folder);
  return fresh;
}

function create(folder: string | undefined, snapshot?: Blob): Promise<PGlite> {
  return PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(snapshot && { loadDataDir: snapshot }),
    parsers: { [types.INT8]: Number, [types.NUMERIC]: Number, [types.DATE]: String },
  });
}

async function answer(request: Request): Promise<void> {
  try {
    port.postMessage({ id: request.id, rows: await rowsOf(request) } satisfies Reply);
  } catch (error) {
    port.postMessage({ id: request.id, error: plain(error as Error) } satisfies Reply);
  }
}

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

/** Errors lose their own fields between threads. */
function plain(error: Error): { message: string } & Record<string, unknown> {
  const { code, constraint, detail, table, column } = error as Error & Record<string, unknown>;
  return { message: error.message, code, constraint, detail, table, column };
}
