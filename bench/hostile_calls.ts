import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostilePictures } from '../tests/fixtures/hostile/hostile_pictures.ts';
import { hostileCalls, imageTools, problemWith, walletOf } from '../tests/support/hostile_calls.ts';
import { inParallel } from '../tests/support/in_parallel.ts';
import { oddMcpCalls, oddRequests } from '../tests/support/odd_requests.ts';
import { toppedUp } from '../tests/support/topped_up.ts';
import { UNLIMITED } from '../tests/support/unlimited.ts';
import { type BenchServer, startServer } from './support/server.ts';

const AT_ONCE = 4;
const MEMORY_EACH_MS = 200;
const PAYER = `0x${'f'.repeat(40)}`;
/** Of 1600 credits each: the dearest tool takes 15 for each of 300 pictures. */
const PACKS = 3;

interface Call {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly wallet: string;
  readonly body?: string;
  /** What is wrong with the answer. */
  problemWith?(answer: Answer): string | undefined;
}
interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the answer of another process
  readonly body: any;
}

/**
 * Odd values in every field and malformed pictures in every tool, over HTTP to a server of its own whose limits of calls are out of the
 * way; on PostgreSQL where DATABASE_URL names one. Targets: no 5xx, no call over 10 s, the main process under 512 MiB, all processes under 1536 MiB.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-hostile-'));
  const settings = { ...UNLIMITED, ADDRESS_LIMIT_FACTOR: '1000000', UPLOADS_PER_HOUR: '1000000' };
  const server = await startServer('src/main.ts', { ...settings, DATA_DIR: folder, LOG_LEVEL: 'fatal' });
  try {
    const { peak } = server.mainMemoryMiB();
    const rows: string[] = [];
    for (const [name, calls] of Object.entries(await allCalls(server.url))) {
      rows.push(await row(name, calls, server));
      console.error(rows.at(-1));
    }
    return [
      '## Hostile calls',
      '',
      `Every call over HTTP to one server with default settings but for the limits of calls, ${AT_ONCE} at a time, one address. Memory is looked at every ${MEMORY_EACH_MS} ms: the resident set of the main process, and the proportional set size of all. Before the first call the main process had peaked at ${peak} MiB. Targets: no 5xx, under 10 s, main process under 512 MiB, all under 1536 MiB.`,
      '',
      '| calls | count | 2xx | 3xx | 4xx | 5xx | wrong | p50 ms | p99 ms | slowest ms, and which | main MiB | all MiB |',
      '|---|---|---|---|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function allCalls(url: string): Promise<Record<string, Call[]>> {
  const post = async (path: string, body: object) =>
    sent(url, { what: path, method: 'POST', path, wallet: PAYER, body: JSON.stringify(body) });
  await toppedUp(post, PAYER);
  for (const tool of imageTools)
    for (let packs = 0; packs < PACKS; packs++) await toppedUp(post, walletOf(tool));
  const openApi = await (await fetch(`${url}/openapi.json`)).json();
  const odd = [...oddRequests(openApi, PAYER), ...oddMcpCalls()];
  const pictures = await hostilePictures();
  const hostile = imageTools.flatMap((tool) => hostileCalls(tool, pictures));
  return {
    'odd values in every field, REST and MCP': odd.map((request) => ({ ...request, wallet: PAYER })),
    'malformed pictures to every picture tool': hostile.map(({ tool, picture, wallet, body }) => ({
      ...{ what: `${tool.name}: ${picture.name}`, method: 'POST', wallet },
      ...{ path: `/api/tools/${tool.name}`, body: JSON.stringify(body) },
      problemWith: (answer) => problemWith(answer, picture),
    })),
  };
}

async function row(name: string, calls: readonly Call[], server: BenchServer): Promise<string> {
  const classes = new Map<number, number>();
  const times: number[] = [];
  const wrong: string[] = [];
  let slowest = { ms: 0, what: '' };
  const most = { main: 0, all: 0 };
  const watching = setInterval(() => {
    most.main = Math.max(most.main, server.mainMemoryMiB().now);
    most.all = Math.max(most.all, server.memoryMiB());
  }, MEMORY_EACH_MS);
  await inParallel(calls, AT_ONCE, async (call) => {
    const began = performance.now();
    const answer = await sent(server.url, call).catch((error) => ({ status: 0, text: `${error}`, body: {} }));
    const ms = Math.round(performance.now() - began);
    times.push(ms);
    if (ms > slowest.ms) slowest = { ms, what: call.what };
    const kind = Math.floor(answer.status / 100);
    classes.set(kind, (classes.get(kind) ?? 0) + 1);
    const problem = faultIn(answer) ?? call.problemWith?.(answer);
    if (problem) wrong.push(`${call.what}: ${problem}`);
  });
  clearInterval(watching);
  for (const problem of wrong) console.error(problem);
  const counts = [2, 3, 4, 5].map((kind) => classes.get(kind) ?? 0);
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))];
  return `| ${name} | ${calls.length} | ${counts.join(' | ')} | ${wrong.length} | ${at(0.5)} | ${at(0.99)} | ${slowest.ms}: ${slowest.what.replace(/\p{Cf}/gu, '').replaceAll('|', '\\|')} | ${most.main} | ${most.all} |`;
}

const faultIn = ({ status, text }: Answer): string | undefined =>
  status === 0 || status >= 500 || /"code":(-32603|"internal_error")/.test(text)
    ? `${status} ${text.slice(-300)}`
    : undefined;

async function sent(url: string, { method, path, wallet, body }: Call): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${wallet}` },
    ...(body && { body }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}
