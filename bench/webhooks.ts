import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXAMPLE_PNG_B64 } from '../src/tools/example_image.ts';
import { newSchema } from '../tests/support/new_schema.ts';
import { toppedUp } from '../tests/support/topped_up.ts';
import { median } from './support/load.ts';
import { startServer } from './support/server.ts';

const CLIENTS = 4;
/** Endpoints of each client that has any, on one host each. */
const ENDPOINTS = 5;
const HANGING = 10;
const SECONDS = 12;
/** Without endpoints and with them in turn: the machine is never the same for long. */
const ROUNDS = 3;
/** Free, and paid with a credit. */
const CALLS = [
  { path: '/api/tools/resize_image', body: { image: EXAMPLE_PNG_B64, width: 64, height: 64 } },
  { path: '/api/tools/save_asset', body: { key: 'note', data: 'aGVsbG8=' } },
];

/** What wallets with endpoints cost the calls of everybody, and how fast notices arrive beside them. */
export async function run(): Promise<string> {
  const rows = await rowsOf('embedded');
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl) {
    const schema = await newSchema(serverUrl);
    rows.push(...(await rowsOf('PostgreSQL', { DATABASE_URL: schema.url })));
    await schema.drop();
  }
  return [
    '## Webhooks',
    '',
    `${CLIENTS} clients, each with a wallet, resize a picture and save an asset for a credit in turn, one call after another, for ${SECONDS} seconds; first clients without endpoints, then others with`,
    `${ENDPOINTS} each, so that every call is ${ENDPOINTS} deliveries; ${ROUNDS} times. Medians of these. The last row is once: it has two clients more, with ${HANGING} receivers that never answer. The receivers run in the`,
    'process of the benchmark, on the same processors. Load is calls a second against those of the round without endpoints. Late is from the call to the arrival; what had not arrived at the end of the calls is waited for.',
    '',
    '| database, endpoints | calls/s | load | p50 ms | p95 ms | deliveries/s | late p50 ms | late p95 ms |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function rowsOf(name: string, settings: Record<string, string> = {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const server = await startServer('src/main.ts', {
    ...{ DATA_DIR: folder, LOG_LEVEL: 'fatal', TRUSTED_PROXIES: '127.0.0.1', ALLOW_PRIVATE_FETCH: 'true' },
    ...{ FREE_TOOLS_PER_HOUR: '10000000', PAID_TOOLS_PER_MINUTE: '10000000', ...settings },
  });
  const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => openReceiver(true)));
  const hanging = await Promise.all(Array.from({ length: HANGING }, () => openReceiver(false)));
  const [bare, noticed] = [clientsFrom(0, CLIENTS), clientsFrom(CLIENTS, CLIENTS)];
  const stuck = clientsFrom(2 * CLIENTS, 2);
  try {
    for (const nth of [...bare, ...noticed, ...stuck]) await open(server.url, nth);
    for (const nth of noticed) await register(server.url, nth, receivers);
    for (const nth of stuck) await register(server.url, nth, hanging);
    const rounds: [Measured, Measured][] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([
        await measure(server.url, bare, receivers),
        await measure(server.url, noticed, receivers),
      ]);
    const base = middle(rounds.map(([without]) => without));
    const load = median(rounds.map(([without, others]) => others.callsPerSecond / without.callsPerSecond));
    const last = await measure(server.url, [...noticed, ...stuck], receivers);
    return [
      row(`${name}, none`, base, 1),
      row(`${name}, ${ENDPOINTS} a wallet`, middle(rounds.map(([, others]) => others)), load),
      row(`${name}, and some that hang`, last, last.callsPerSecond / base.callsPerSecond),
    ];
  } finally {
    await server.stop();
    for (const { close } of [...receivers, ...hanging]) close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const clientsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, nth) => first + nth);
const walletOf = (nth: number): string => `0x${String(nth).padStart(40, 'c')}`;

// biome-ignore lint/suspicious/noExplicitAny: an answer of another process
async function post(url: string, nth: number, path: string, body: object): Promise<{ body: any }> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': `198.51.100.${nth + 1}`,
    Authorization: `Bearer ${walletOf(nth)}`,
  };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return { body: JSON.parse(text) };
}

/** A wallet with credits for some thousand calls. */
async function open(url: string, nth: number): Promise<void> {
  for (let packs = 0; packs < 4; packs += 1)
    await toppedUp((path, body) => post(url, nth, path, body), walletOf(nth));
}

async function register(url: string, nth: number, receivers: readonly Receiver[]): Promise<void> {
  for (const receiver of receivers)
    await post(url, nth, '/api/webhooks/register', { url: receiver.url, events: ['tool.*'] });
}

interface Measured {
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly deliveriesPerSecond: number;
  readonly lateP50Ms: number;
  readonly lateP95Ms: number;
}

/** The median of each figure. */
const middle = (rounds: readonly Measured[]): Measured =>
  Object.fromEntries(
    Object.keys(rounds[0]!).map((name) => [name, median(rounds.map((one) => one[name as keyof Measured]))]),
  ) as unknown as Measured;

function row(name: string, measured: Measured, load: number): string {
  const { callsPerSecond, p50Ms, p95Ms, deliveriesPerSecond, lateP50Ms, lateP95Ms } = measured;
  const late = deliveriesPerSecond > 0 ? [lateP50Ms.toFixed(0), lateP95Ms.toFixed(0)] : ['', ''];
  const cells = [callsPerSecond.toFixed(0), load.toFixed(2), p50Ms.toFixed(1), p95Ms.toFixed(1)];
  return `| ${[name, ...cells, deliveriesPerSecond.toFixed(0), ...late].join(' | ')} |`;
}

async function measure(
  url: string,
  clients: readonly number[],
  receivers: readonly Receiver[],
): Promise<Measured> {
  for (const receiver of receivers) receiver.lateMs.length = 0;
  const times: number[] = [];
  const begun = performance.now();
  const call = async (nth: number) => {
    for (let turn = 0; performance.now() < begun + SECONDS * 1000; turn += 1) {
      const started = performance.now();
      const { path, body } = CALLS[turn % CALLS.length]!;
      await post(url, nth, path, { ...body, wallet: walletOf(nth) });
      times.push(performance.now() - started);
    }
  };
  await Promise.all(clients.map(call));
  const callSeconds = (performance.now() - begun) / 1000;
  const lateMs = () => receivers.flatMap((receiver) => receiver.lateMs);
  for (let count = -1; lateMs().length > count; await sleep(3000)) count = lateMs().length;
  const late = lateMs();
  const last = Math.max(...receivers.map(({ lastAt }) => lastAt()));
  return {
    ...{ callsPerSecond: times.length / callSeconds, p50Ms: at(times, 0.5), p95Ms: at(times, 0.95) },
    deliveriesPerSecond: late.length === 0 ? 0 : late.length / ((last - begun) / 1000),
    ...{ lateP50Ms: at(late, 0.5), lateP95Ms: at(late, 0.95) },
  };
}

function at(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

interface Receiver {
  readonly url: string;
  /** Milliseconds from each event to its arrival. */
  readonly lateMs: number[];
  /** When the last one came, as `performance.now()`. */
  lastAt(): number;
  close(): void;
}

async function openReceiver(answers: boolean): Promise<Receiver> {
  const lateMs: number[] = [];
  let lastAt = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    lastAt = performance.now();
    lateMs.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
    if (answers) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    lateMs,
    lastAt: () => lastAt,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
