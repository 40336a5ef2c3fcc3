import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tests/support/free_port.ts';
import { openSmallDisk, type SmallDisk } from '../../../tests/support/small_disk.ts';
import { startService } from '../../../tests/support/start_service.ts';
import { startWorker } from '../../../tests/support/start_worker.ts';
import { UNLIMITED } from '../../../tests/support/unlimited.ts';
import { type FaultyStore, openFaultyStore, type StoreMood } from './faulty_store.ts';
import { type FaultyDatabase, type Line, openFaultyDatabase } from './postgresql_lines.ts';

/**
 * Two servers and a worker on one PostgreSQL and, if given, an object store, each behind proxies of this
 * benchmark.
 */
export interface Cluster {
  readonly urls: readonly string[];
  /** Process id of the first server, which is restarted and never killed. */
  serverPid(): number;
  readonly faults: readonly Fault[];
  /** Without the proxies. */
  databaseUrl(): string;
  close(): Promise<void>;
}

/** A fault, from its beginning to its end. */
export interface Fault {
  readonly name: string;
  readonly isOnce?: true;
  happen(): Promise<void>;
}

/** Durations of the faults. */
const MS = {
  restart: 4_000,
  blackHole: 8_000,
  cutOff: 20_000,
  asleep: 30_000,
  workerAsleep: 40_000,
  promoted: 3_000,
  full: 8_000,
};

/**
 * @param serverUrl of PostgreSQL, in which a schema is created, unless PostgreSQL is installed here and two
 * servers can be started
 * @param storageUrl a bucket with its keys, as `.ci/swift` prints it; absent: bytes are files
 */
export async function openCluster(serverUrl: string, storageUrl?: string): Promise<Cluster> {
  const disk = openSmallDisk();
  const store = storageUrl === undefined ? undefined : await openFaultyStore(withoutKeys(storageUrl));
  const database = await openFaultyDatabase(serverUrl);
  const lines = [await database.openLine(), await database.openLine(), await database.openLine()] as const;
  const ports = [String(await freePort()), String(await freePort())] as const;
  const settings = {
    ...UNLIMITED,
    DATA_DIR: disk.folder,
    ...(storageUrl && store && storageSettings(storageUrl, store)),
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    TRUSTED_PROXIES: '127.0.0.1',
    PAYMENTS: 'simulated',
    JOBS_PER_CALLER: '1000',
    JOBS_PER_ADDRESS: '1000',
    LOG_LEVEL: 'fatal',
    UPLOADS_PER_HOUR: '1000000',
  };
  let version = process.env.TEST_EARLIER_VERSION;
  const startServer = async (nth: 0 | 1) => {
    const own = {
      PORT: ports[nth],
      DATABASE_URL: lines[nth].url,
      ...(nth === 1 && { JOBS_HERE: 'save_asset' }),
    };
    return (await startService({ ...settings, ...own }, version)).process;
  };
  const newWorker = () => startWorker([], { ...settings, DATABASE_URL: lines[2].url, LOG_LEVEL: 'info' });
  const servers = [await startServer(0), await startServer(1)];
  let worker = await newWorker();
  const faults: Fault[] = [
    {
      name: 'server killed',
      async happen() {
        await killed(servers[1]!);
        servers[1] = await startServer(1);
      },
    },
    ...databaseFaults(database, lines),
    {
      name: 'worker killed',
      async happen() {
        await killed(worker);
        worker = await newWorker();
      },
    },
    {
      name: 'servers restarted in turn',
      async happen() {
        version = undefined;
        for (const nth of [0, 1] as const) {
          servers[nth]!.kill('SIGTERM');
          await once(servers[nth]!, 'exit');
          servers[nth] = await startServer(nth);
        }
      },
    },
    { name: 'server asleep', happen: () => asleep(servers[1]!, MS.asleep) },
    ...(disk.fill ? [fullDisk(disk, disk.fill)] : []),
    { name: 'worker asleep', happen: () => asleep(worker, MS.workerAsleep) },
    ...(store ? storeFaults(store) : []),
  ];
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    serverPid: () => servers[0]!.pid!,
    faults,
    databaseUrl: database.url,
    async close() {
      await Promise.all([...servers, worker].map(killed));
      await Promise.all(lines.map((line) => line.close()));
      store?.close();
      await database.close();
      disk.close();
    },
  };
}

function databaseFaults(database: FaultyDatabase, lines: readonly [Line, Line, Line]): Fault[] {
  const { failOver } = database;
  const each = (work: (line: Line) => Promise<void> | void) => Promise.all(lines.map(work));
  return [
    { name: 'every connection cut', happen: database.cutAll },
    ...(failOver
      ? [{ name: 'standby promoted', isOnce: true, happen: () => failOver(MS.promoted) } as const]
      : []),
    {
      name: 'server cut off from the database',
      async happen() {
        lines[1].silence();
        await sleep(MS.cutOff);
        await lines[1].restore();
      },
    },
    {
      name: 'database restarted',
      async happen() {
        await Promise.all([each((line) => line.refuse()), database.cutAll()]);
        await sleep(MS.restart);
        await each((line) => line.restore());
      },
    },
    {
      name: 'database a black hole',
      async happen() {
        await each((line) => line.silence());
        await sleep(MS.blackHole);
        await each((line) => line.restore());
      },
    },
    {
      name: 'worker cut off from the database',
      async happen() {
        lines[2].silence();
        await sleep(MS.cutOff);
        await lines[2].restore();
      },
    },
  ];
}

async function asleep(child: ChildProcess, forMs: number): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(forMs);
  child.kill('SIGCONT');
}

const fullDisk = (disk: SmallDisk, fill: () => void): Fault => ({
  name: 'disk full',
  async happen() {
    fill();
    await sleep(MS.full);
    disk.empty();
  },
});

/** Behaviours of the store, with their durations. */
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
