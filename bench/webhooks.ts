import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSchema } from '../tests/support/new_schema.ts';
import { startServer } from './support/server.ts';

const CLIENTS = 8;
/** Endpoints of each client, on one host each. */
const ENDPOINTS = 5;
const HANGING = 10;
const SECONDS = 15;

/** What calls cost whose wallets have endpoints, and how fast notices arrive beside them. */
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
    `${CLIENTS} clients, each with a wallet, call \`check_balance\` one call after another for ${SECONDS} seconds; each wallet has ${ENDPOINTS} endpoints, so every call`,
    `is ${ENDPOINTS} deliveries. The last row has ${HANGING} receivers more that never answer, of two more clients. The receivers run in the process of the benchmark. Late is`,
    'from the call to the arrival; what had not arrived at the end of the calls is waited for.',
    '',
    '| database, endpoints | calls/s | p50 ms | p95 ms | deliveries/s | late p50 ms | late p95 ms |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function rowsOf(name: string, settings: Record<string, string> = {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const server = await startServer('src/main.ts', {
    ...{ DATA_DIR: folder, LOG_LEVEL: 'fatal', TRUSTED_PROXIES: '127.0.0.1', ALLOW_PRIVATE_FETCH: 'true' },
    ...{ FREE_TOOLS_PER_HOUR: '10000000', ...settings },
  });
  const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => openReceiver(true)));
  const hanging = await Promise.all(Array.from({ length: HANGING }, () => openReceiver(false)));
  const rows: string[] = [];
  try {
    rows.push(`| ${name}, none | ${await measure(server.url, CLIENTS, receivers)} |`);
    for (let nth = 0; nth < CLIENTS; nth += 1) await register(server.url, nth, receivers);
    rows.push(`| ${name}, ${ENDPOINTS} a wallet | ${await measure(server.url, CLIENTS, receivers)} |`);
    for (const nth of [CLIENTS, CLIENTS + 1]) await register(server.url, nth, hanging);
    rows.push(`| ${name}, and some that hang | ${await measure(server.url, CLIENTS + 2, receivers)} |`);
  } finally {
    await server.stop();
    for (const { close } of [...receivers, ...hanging]) close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

const walletOf = (nth: number): string => `0x${String(nth).padStart(40, 'c')}`;

async function post(url: string, nth: number, path: string, body: object): Promise<void> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': `198.51.100.${nth + 1}`,
    Authorization: `Bearer ${walletOf(nth)}`,
  };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}

async function register(url: string, nth: number, receivers: readonly Receiver[]): Promise<void> {
  await post(url, nth, '/api/wallet/register', { wallet: walletOf(nth) });
  for (const receiver of receivers)
    await post(url, nth, '/api/webhooks/register', { url: receiver.url, events: ['tool.*'] });
}

/** The cells of a row. */
async function measure(url: string, clients: number, receivers: readonly Receiver[]): Promise<string> {
  for (const receiver of receivers) receiver.lateMs.length = 0;
  const times: number[] = [];
  const begun = performance.now();
  const call = async (nth: number) => {
    while (performance.now() < begun + SECONDS * 1000) {
      const started = performance.now();
      await post(url, nth, '/api/tools/check_balance', { wallet: walletOf(nth) });
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, nth) => call(nth)));
  const callSeconds = (performance.now() - begun) / 1000;
  const lateMs = () => receivers.flatMap((receiver) => receiver.lateMs);
  let [count, last] = [-1, begun];
  while (lateMs().length > count) {
    [count, last] = [lateMs().length, performance.now()];
    await sleep(3000);
  }
  const late = lateMs();
  const deliveries = late.length === 0 ? '0' : (late.length / ((last - begun) / 1000)).toFixed(0);
  const cells = [(times.length / callSeconds).toFixed(0), at(times, 0.5), at(times, 0.95), deliveries];
  return [...cells, at(late, 0.5), at(late, 0.95)].join(' | ');
}

function at(values: number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)]?.toFixed(1) ?? '';
}

interface Receiver {
  readonly url: string;
  /** Milliseconds from each event to its arrival. */
  readonly lateMs: number[];
  close(): void;
}

async function openReceiver(answers: boolean): Promise<Receiver> {
  const lateMs: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    lateMs.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
    if (answers) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    lateMs,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
