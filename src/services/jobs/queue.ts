import type { Job, PgBoss } from 'pg-boss';
import type { Queryable, ScriptableDatabase } from '../../database/contract.ts';
import { JOB_RUN_MS_MAX } from '../../limits.ts';
import { JOB_HEARTBEAT_SECONDS, JOB_POLL_SECONDS } from './limits.ts';
import { currentSchema, hasSchema } from './queue_store.ts';

const QUEUE = 'jobs';
/** Runs are counted by us; the queue never is the one that gives up. */
const RETRIES = 10_000;
const RECEIPT_SECONDS = 3600;
const TERMS = {
  retryLimit: RETRIES,
  retryDelay: 1,
  heartbeatSeconds: JOB_HEARTBEAT_SECONDS,
  expireInSeconds: Math.ceil((2 * JOB_RUN_MS_MAX) / 1000),
  deleteAfterSeconds: RECEIPT_SECONDS,
};
const LOOK = {
  pollingIntervalSeconds: JOB_POLL_SECONDS,
  heartbeatRefreshSeconds: JOB_HEARTBEAT_SECONDS / 3,
};

/** Says which job is next and who works on it, over any number of servers. Knows jobs by name only. */
export interface Queue {
  /** Makes the queue's tables where they are missing. `create: false` leaves a database alone that never had a job. */
  start(options: { create: boolean }): Promise<boolean>;
  /** Puts a job in, as part of a transaction; one it knows already stays as it is. Only after `start`. */
  send(tx: Queryable, job: QueuedJob): Promise<void>;
  /** Looks for work now instead of at the next look. */
  wake(): void;
  /** Puts jobs back in that somebody is said to work on, who is dead. */
  putBack(ids: readonly string[]): Promise<void>;
  /** Takes no more; `leave` has to end what runs, which is put back. */
  close(leave: () => Promise<void>): Promise<void>;
}

export interface QueuedJob {
  readonly id: string;
  /** Who put it in. */
  readonly address: string;
  /** Lower ones go first. */
  readonly turn: number;
}

export interface QueueOptions {
  readonly database: ScriptableDatabase;
  /** Jobs this process works on at once, and all processes of one address. */
  readonly atOnce: number;
  readonly atOnceOfAddress: number;
  /** Resolves once the job needs no more work; a rejection puts it back. The signal: another process has taken it over. */
  run(id: string, lost: AbortSignal): Promise<void>;
  report(error: unknown): void;
}

/**
 * pg-boss on our own connection, in a schema beside ours. It is started with the first job a database ever sees: its tables
 * take a second to make, and most small servers never need them.
 */
export function createQueue(options: QueueOptions): Queue {
  const { database } = options;
  let started: Promise<OpenQueue> | undefined;
  let queue: OpenQueue | undefined;
  return {
    async start({ create }) {
      const schema = `${await currentSchema(database)}_queue`;
      if (!started && !create && !(await hasSchema(database, schema))) return false;
      started ??= open(options, schema);
      try {
        queue = await started;
      } catch (error) {
        started = undefined;
        throw error;
      }
      return true;
    },
    async send(tx, { id, address, turn }) {
      const db = {
        executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }),
      };
      const order = { priority: -turn, group: { id: address } };
      await queue!.boss.send(QUEUE, { id }, { id: uuidOf(id), ...order, ...TERMS, db });
    },
    wake: () => queue?.wake(),
    async putBack(ids) {
      if (ids.length > 0) await queue?.boss.fail(QUEUE, ids.map(uuidOf));
    },
    async close(leave) {
      await started?.catch(() => {});
      await queue?.boss.offWork(QUEUE, { wait: false });
      await leave();
      await queue?.boss.stop({ graceful: false, close: false });
    },
  };
}

interface OpenQueue {
  readonly boss: PgBoss;
  wake(): void;
}

async function open(
  { database, atOnce, atOnceOfAddress, run, report }: QueueOptions,
  schema: string,
): Promise<OpenQueue> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: { executeSql: (text, values) => execute(database, text, values) },
    schema,
    schedule: false,
    superviseIntervalSeconds: JOB_HEARTBEAT_SECONDS / 2,
    monitorIntervalSeconds: JOB_HEARTBEAT_SECONDS / 2,
  });
  boss.on('error', report);
  await boss.start();
  await boss.createQueue(QUEUE, { retryLimit: RETRIES, retryDelay: 1 });
  // Its first look at a queue is remembered; made inside a transaction it would wait for that transaction for ever.
  await boss.findJobs(QUEUE, { id: uuidOf(`job_${'0'.repeat(32)}`) });
  const workers: string[] = [];
  const wake = () => {
    for (const worker of workers) boss.notifyWorker(worker);
  };
  const work = async ([job]: Job<{ id: string }>[]) => {
    try {
      if (job) await run(job.data.id, job.signal);
    } finally {
      wake();
    }
  };
  // One by one, because only a worker whose name is known can be woken; left alone it rests after every job.
  const look = { ...LOOK, groupConcurrency: atOnceOfAddress };
  while (workers.length < atOnce) workers.push(await boss.work(QUEUE, look, work));
  return { boss, wake };
}

/** Several statements come as one text with a transaction of its own and no values; it ends ours, which is then empty. */
async function execute(database: ScriptableDatabase, text: string, values: unknown[] = []) {
  if (values.length > 0 || !/^\s*begin\s*;/i.test(text)) return { rows: await database.query(text, values) };
  await database.transaction((tx) => tx.script(text));
  return { rows: [] };
}

/** The library names its rows by UUID, and ours are one without its dashes. */
const uuidOf = (id: string): string =>
  id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
