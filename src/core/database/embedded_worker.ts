import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { messages, PGlite, protocol, types } from '@electric-sql/pglite';
import { isComplete, markComplete } from './cluster_folder.ts';
import { copyTemplate, readSnapshot, takeSnapshot } from './cluster_template.ts';
import type { Cluster } from './embedded.ts';
import { type Reply, type Request, replyTo } from './exchange.ts';
import { EMBEDDED_CACHE_MIB } from './limits.ts';

/** Prepared statements in the embedded database; each takes some ten kilobytes. */
const KEPT_MAX = 256;

const { serialize } = protocol;

interface Statement {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly columns: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * Runs prepared statements on the embedded database: parsed at first use, then sent as one message; 15 µs for a lookup by key
 * instead of 86. One call at a time. Message formats: PostgreSQL's documentation, "Frontend/Backend Protocol", extended query.
 */
function createPreparedStatements(database: PGlite) {
  /** By text, least recently used first. */
  const kept = new Map<string, Statement>();
  let count = 0;

  const send = async (...parts: Uint8Array[]) =>
    (await database.execProtocol(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })).messages;

  async function prepare(text: string): Promise<Statement> {
    count += 1;
    const name = `statement_${count}`;
    const described = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const parameters = described.find((message) => message instanceof messages.ParameterDescriptionMessage);
    const row = described.find((message) => message instanceof messages.RowDescriptionMessage);
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_MAX && oldest !== undefined) {
      await send(serialize.close({ type: 'S', name: kept.get(oldest)!.name }));
      kept.delete(oldest);
    }
    return { name, parameterTypes: parameters?.dataTypeIDs ?? [], columns: row?.fields ?? [] };
  }

  return {
    /** Rows of one statement; values and rows as in PGlite.query. @throws the database error, with its SQLSTATE as `code` */
    async query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
      const statement = kept.get(text) ?? (await prepare(text));
      kept.delete(text);
      kept.set(text, statement);
      const { name, parameterTypes, columns } = statement;
      const answer = await send(
        serialize.bind({
          statement: name,
          values: values.map((value, index) => wire(database, value, parameterTypes[index]!)),
        }),
        serialize.execute(),
      );
      const done = answer.find((message) => message instanceof messages.CommandCompleteMessage);
      if (/^(CREATE|ALTER|DROP)/.test(done?.text ?? '')) await forget();
      return answer
        .filter((message) => message instanceof messages.DataRowMessage)
        .map(({ fields }) => rowOf(database, fields, columns));
    },
    forget,
  };

  /** Call it after schema changes: prepared statements may be invalid. */
  async function forget(): Promise<void> {
    kept.clear();
    await database.exec('deallocate all');
  }
}

function wire({ serializers }: PGlite, value: unknown, type: number): string | null {
  if (value === null || value === undefined) return null;
  return serializers[type]?.(value) ?? String(value);
}

function rowOf({ parsers }: PGlite, fields: readonly (string | null)[], columns: Statement['columns']) {
  const row: Record<string, unknown> = {};
  for (const [index, { name, dataTypeID }] of columns.entries()) {
    row[name] = types.parseType(fields[index]!, dataTypeID, parsers);
  }
  return row;
}

/** PGlite without two memory-intensive features: see docs/decisions/0014-embedded-database.md. */
class LeanPGlite extends PGlite {
  #isParserCompiled = false;

  /** Runs the first statement of a session; one of ours must precede it. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    if (!this.#isParserCompiled) await compilePlainly(() => this.exec('.').catch(() => {}));
    this.#isParserCompiled = true;
    await super._initArrayTypes(options);
  }
}

/**
 * Keeps WebAssembly functions that are first called in `work` at V8's baseline tier permanently: tier-up counters are compiled into
 * the code or not.
 */
async function compilePlainly(work: () => Promise<unknown>): Promise<void> {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
  try {
    await work();
  } finally {
    setFlagsFromString('--wasm-tier-up');
    setFlagsFromString('--wasm-dynamic-tiering');
  }
}

/** Entry point of the database thread: on the main thread the database would block everything else. */

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

/** After a fatal error, which ends the process elsewhere, PostgreSQL stops responding here and spins: end the thread. */
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
