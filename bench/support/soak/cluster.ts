import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newSchema } from '../../../tests/support/new_schema.ts';
import { openSmallDisk, type SmallDisk } from '../../../tests/support/small_disk.ts';
import { startService } from '../../../tests/support/start_service.ts';
import { startWorker } from '../../../tests/support/start_worker.ts';
import { openTcpProxy } from '../../../tests/support/tcp_proxy.ts';
import { UNLIMITED } from '../../../tests/support/unlimited.ts';
import { type FaultyStore, openFaultyStore, type StoreMood } from './faulty_store.ts';

/** Two servers and a worker on one PostgreSQL and, where one is named, an object store, both behind proxies of ours. */
export interface Cluster {
  readonly urls: readonly string[];
  /** The first server, which is never killed. */
  readonly serverPid: number;
  readonly faults: readonly Fault[];
  /** Past the proxy. */
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Something that goes wrong, from its beginning to its end. */
export interface Fault {
  readonly name: string;
  happen(): Promise<void>;
}

/**
 * @param serverUrl of PostgreSQL; a schema of its own is made there
 * @param storageUrl a bucket with its keys, as `.ci/swift` prints it; absent: bytes are files
 */
export async function openCluster(serverUrl: string, storageUrl?: string): Promise<Cluster> {
  const disk = openSmallDisk();
  const store = storageUrl === undefined ? undefined : await openFaultyStore(withoutKeys(storageUrl));
  const schema = await newSchema(serverUrl);
  const proxy = await openTcpProxy(schema.url);
  const operator = new pg.Client({ connectionString: serverUrl });
  await operator.connect();
  const settings = {
    ...UNLIMITED,
    DATA_DIR: disk.folder,
    ...(storageUrl && store && storageSettings(storageUrl, store)),
    DATABASE_URL: proxy.url,
    TRUSTED_PROXIES: '127.0.0.1',
    PAYMENTS: 'simulated',
    JOBS_PER_CALLER: '1000',
    JOBS_PER_ADDRESS: '1000',
    LOG_LEVEL: 'fatal',
    UPLOADS_PER_HOUR: '1000000',
  };
  const first = await startService(settings);
  const beside = { ...settings, PUBLIC_URL: first.url };
  const startSecond = (port: string) => startService({ ...beside, PORT: port, JOBS_HERE: 'save_asset' });
  let second = await startSecond('0');
  const { port } = new URL(second.url);
  const newWorker = () => startWorker([], { ...beside, LOG_LEVEL: 'info' });
  let worker = await newWorker();
  const endAll = () =>
    operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1`,
      [schema.name],
    );
  const faults: Fault[] = [
    ...(disk.fill ? [fullDisk(disk, disk.fill)] : []),
    ...(store ? storeFaults(store) : []),
    { name: 'every connection cut', happen: async () => void (await endAll()) },
    {
      name: 'database restarted',
      async happen() {
        await Promise.all([proxy.refuse(), endAll()]);
        await sleep(4_000);
        await proxy.restore();
      },
    },
    {
      name: 'worker killed',
      async happen() {
        await killed(worker);
        worker = await newWorker();
      },
    },
    {
      name: 'database a black hole',
      async happen() {
        proxy.silence();
        await sleep(8_000);
        await proxy.restore();
      },
    },
    {
      name: 'server killed',
      async happen() {
        await killed(second.process);
        second = await startSecond(port);
      },
    },
    {
      name: 'worker asleep for 40 s',
      async happen() {
        worker.kill('SIGSTOP');
        await sleep(40_000);
        worker.kill('SIGCONT');
      },
    },
  ];
  return {
    urls: [first.url, second.url],
    serverPid: first.process.pid!,
    faults,
    databaseUrl: schema.url,
    async close() {
      await Promise.all([first.process, second.process, worker].map(killed));
      await operator.end();
      await proxy.close();
      store?.close();
      await schema.drop();
      disk.close();
    },
  };
}

const DISK_FULL_MS = 8_000;

const fullDisk = (disk: SmallDisk, fill: () => void): Fault => ({
  name: 'disk full',
  async happen() {
    fill();
    await sleep(DISK_FULL_MS);
    disk.empty();
  },
});

/** What the store does for how long. */
const MOODS: readonly [mood: StoreMood, forMs: number][] = [
  ['slow', 12_000],
  ['failing', 12_000],
  ['full', 8_000],
  ['away', 8_000],
];

const storeFaults = (store: FaultyStore): Fault[] =>
  MOODS.map(([mood, forMs]) => ({
    name: `store ${mood}`,
    async happen() {
      store.mood = mood;
      await sleep(forMs);
      store.mood = 'well';
    },
  }));

function withoutKeys(storageUrl: string): string {
  const { origin, pathname } = new URL(storageUrl);
  return origin + pathname;
}

function storageSettings(storageUrl: string, store: FaultyStore): Record<string, string> {
  const { username, password } = new URL(storageUrl);
  return {
    STORAGE_URL: `${store.url}/${randomUUID()}`,
    STORAGE_KEY_ID: decodeURIComponent(username),
    STORAGE_SECRET_KEY: decodeURIComponent(password),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
