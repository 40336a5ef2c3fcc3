import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../src/core/database/open_database.ts';
import type { Limiter } from '../src/core/rate_limits/rate_limited.ts';
import { createMemoryLimiter, createSharedLimiter, takeCalls } from '../src/core/rate_limits/rate_limits.ts';
import { newSchema, type Schema } from '../tests/support/new_schema.ts';
import { openRoundRobin } from '../tests/support/round_robin.ts';
import { toppedUp } from '../tests/support/topped_up.ts';
import { type BenchServer, startServer } from './support/server.ts';

const SERVERS = [1, 2, 4];
const SECONDS = 6;
const CLIENTS = 16;
const TAKES = 20_000;
const LIMIT = 200;

/**
 * Requests per second of several servers on one PostgreSQL behind a load balancer, and the cost of a shared
 * limit.
 */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) return '## Several servers\n\nNot measured: TEST_DATABASE_URL names no PostgreSQL.';
  const rows: string[] = [];
  for (const servers of SERVERS) rows.push(...(await rowsOf(serverUrl, servers)));
  return [
    '## Several servers',
    '',
    `${CLIENTS} clients with a wallet each send one request after another for ${SECONDS} s through a load balancer in the benchmark’s process. Servers and PostgreSQL share the cores`,
    'of this machine, so more servers cannot raise throughput here. Compare CPU time, which is that of the servers. "Let through": of twice as many calls as a limit of',
    `${LIMIT} calls allows, sent by ${CLIENTS} clients concurrently. Transactions per request, those that write (transaction ids) and WAL flushes are counted by PostgreSQL; the`,
    'rate of idle servers is subtracted. Other users of the same PostgreSQL are included.',
    '',
    '| servers | request | requests/s | p50 ms | p99 ms | processor ms a request | transactions | of them writing | flushes | let through |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...(await limiterTable(serverUrl)),
  ].join('\n');
}

async function rowsOf(serverUrl: string, count: number): Promise<string[]> {
  const schema = await newSchema(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const balancer = await openRoundRobin();
  const servers: BenchServer[] = [];
  const counting = new pg.Client({ connectionString: serverUrl });
  await counting.connect();
  try {
    for (let nth = 0; nth < count; nth += 1)
      servers.push(await startServer('src/main.ts', settingsOf(schema, folder, balancer.url)));
    balancer.servers.push(...servers.map(({ url }) => url));
    const wallets = Array.from({ length: CLIENTS }, (_, nth) => `0x${nth.toString(16).padStart(40, 'b')}`);
    const post = async (path: string, body: object) => ({
      body: await (await send(balancer.url + path, body)).json(),
    });
    for (const wallet of wallets) await toppedUp(post, wallet);
    const idle = await idlePerSecond(counting);
    const rows = [];
    for (const [what, path, body] of REQUESTS) {
      const requests = wallets.map((wallet) => ({
        url: balancer.url + path,
        body: body(wallet),
        wallet,
        hasKey: what.endsWith('with a key'),
      }));
      await measure(servers, counting, { requests, seconds: 2, idle });
      rows.push(
        `| ${count} | ${what} | ${await measure(servers, counting, { requests, seconds: SECONDS, idle })} | ${what === 'free' ? await letThrough(balancer.url) : ''} |`,
      );
    }
    return rows;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await balancer.close();
    await counting.end();
    await schema.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const CHECK = ['/api/tools/check_balance', (wallet: string) => ({ wallet })] as const;
const SAVE = ['/api/tools/save_asset', (wallet: string) => ({ wallet, key: 'k', data: 'aGk=' })] as const;
const REQUESTS: readonly (readonly [string, string, (wallet: string) => object])[] = [
  ['free', ...CHECK],
  ['free, with a key', ...CHECK],
  ['paid', ...SAVE],
  ['paid, with a key', ...SAVE],
];

const settingsOf = (schema: Schema, folder: string, publicUrl: string): Record<string, string> => ({
  DATABASE_URL: schema.url,
  DATA_DIR: folder,
  PUBLIC_URL: publicUrl,
  LIVE_WORKS: 'false',
  WORKERS: '1',
  FREE_TOOLS_PER_HOUR: '10000000',
  PAID_TOOLS_PER_MINUTE: '10000000',
  PAYMENTS: 'simulated',
  CAFE_POSTS_PER_DAY: String(LIMIT),
  REGISTRATIONS_PER_HOUR: '1000',
});

const send = (
  url: string,
  body: object,
  { wallet, hasKey }: { wallet?: string; hasKey?: boolean } = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(wallet && { Authorization: `Bearer ${wallet}` }),
      ...(hasKey && { 'Idempotency-Key': randomUUID() }),
    },
    body: JSON.stringify(body),
  });

interface Load {
  readonly requests: readonly { url: string; body: object; wallet: string; hasKey: boolean }[];
  readonly seconds: number;
  /** Activity of the servers in a second without requests. */
  readonly idle: Counts;
}

async function measure(
  servers: readonly BenchServer[],
  counting: pg.Client,
  { requests, seconds, idle }: Load,
): Promise<string> {
  const cpuMs = () => servers.reduce((sum, server) => sum + server.cpuMs(), 0);
  const times: number[] = [];
  const before = { cpu: cpuMs(), ...(await readCounts(counting)) };
  const started = performance.now();
  await Promise.all(
    requests.map(async ({ url, body, ...more }) => {
      while (performance.now() - started < seconds * 1000) {
        const at = performance.now();
        const answer = await send(url, body, more);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
        times.push(performance.now() - at);
      }
    }),
  );
  const tookS = (performance.now() - started) / 1000;
  const cpu = cpuMs() - before.cpu;
  const after = await readCounts(counting);
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1);
  const each = (all: number) => (all / times.length).toFixed(2);
  const countedS = (after.atMs - before.atMs) / 1000;
  const counts = COUNTED.map((name) => each(after[name] - before[name] - idle[name] * countedS));
  return [(times.length / tookS).toFixed(0), at(0.5), at(0.99), each(cpu), ...counts].join(' | ');
}

/** Sessions report to the statistics at most once a second. */
const REPORTED_MS = 1_500;

const COUNTED = ['transactions', 'writing', 'flushes'] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

/** Start and length of the idle measurement, after the start of the servers. */
const IDLE_MS = [5_000, 10_000] as const;

async function idlePerSecond(counting: pg.Client): Promise<Counts> {
  const [startMs, lookMs] = IDLE_MS;
  await sleep(startMs);
  const before = await readCounts(counting);
  await sleep(lookMs);
  const after = await readCounts(counting);
  const of = (name: keyof Counts) => (1000 * (after[name] - before[name])) / (after.atMs - before.atMs);
  return { transactions: of('transactions'), writing: of('writing'), flushes: of('flushes') };
}

async function readCounts(counting: pg.Client): Promise<Counts & { atMs: number }> {
  await sleep(REPORTED_MS);
  const { rows } = await counting.query<Record<keyof Counts, string>>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
       pg_snapshot_xmax(pg_current_snapshot())::text as writing, (select to_jsonb(w) ->> 'wal_sync' from pg_stat_wal w) as flushes`,
  );
  const { transactions, writing, flushes } = rows[0]!;
  return {
    transactions: Number(transactions),
    writing: Number(writing),
    flushes: Number(flushes),
    atMs: performance.now(),
  };
}

async function letThrough(url: string): Promise<number> {
  let next = 0;
  let through = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < 2 * LIMIT) {
        next += 1;
        const { ok } = await send(`${url}/api/cafe/post`, { name: 'bench', message: `post ${next}` });
        through += Number(ok);
      }
    }),
  );
  return through;
}

/** Cost of one limiter decision: in memory, and in PostgreSQL for frequent and for one-time clients. */
async function limiterTable(serverUrl: string): Promise<string[]> {
  const schema = await newSchema(serverUrl);
  const database = await openDatabase({ dataDir: 'unused', databaseUrl: schema.url });
  let statements = 0;
  const rows: string[] = [];
  const row = async (what: string, limiter: Limiter, keyOf: (call: number) => string) => {
    statements = 0;
    const cpu = process.cpuUsage();
    const started = performance.now();
    const policy = { name: what, calls: 1e9, perSeconds: 60 };
    for (let call = 0; call < TAKES; call += CLIENTS)
      await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => limiter.take(policy, keyOf(call + nth))));
    const us = (ms: number) => ((1000 * ms) / TAKES).toFixed(1);
    const { user, system } = process.cpuUsage(cpu);
    rows.push(
      `| ${what} | ${us(performance.now() - started)} | ${us((user + system) / 1000)} | ${(statements / TAKES).toFixed(4)} |`,
    );
  };
  await row('in memory', createMemoryLimiter(), () => 'one');
  const limiter = createSharedLimiter({
    take: (asks) => {
      statements += 1;
      return takeCalls(database, asks);
    },
    alone: createMemoryLimiter(),
  });
  await row('one caller', limiter, () => 'one');
  await row('a hundred callers in turn', limiter, (call) => `${call % 100}`);
  await row('another caller each time', limiter, (call) => `${call}`);
  await limiter.close();
  await database.close();
  await schema.drop();
  return [
    `${TAKES} calls counted, ${CLIENTS} at a time, against PostgreSQL:`,
    '',
    '| callers | µs a call | processor µs a call (this process) | statements a call |',
    '|---|---|---|---|',
    ...rows,
  ];
}
