import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toppedUp } from '../tests/support/topped_up.ts';
import { photo } from './support/photo.ts';
import { startServer } from './support/server.ts';
import { soak } from './support/soak/soak.ts';

const MINUTES = process.env.MIXED_MINUTES;
const MINUTES_ALONE = 60;
const MINUTES_OF_SEVERAL = 10;
const CLIENTS = 4;
/** Memory is compared between so many equal parts of the time. */
const PARTS = 6;

/** Where TEST_DATABASE_URL names a PostgreSQL: two servers and a worker on it, with their bytes in the bucket of TEST_STORAGE_URL if there is one, while things go wrong. Else one server alone. */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  return serverUrl
    ? severalUnderFaults(serverUrl, Number(MINUTES ?? MINUTES_OF_SEVERAL))
    : alone(Number(MINUTES ?? MINUTES_ALONE));
}

/** What is lost, done twice, charged wrongly or left open, when everything around it fails in turn. Nothing may be. */
async function severalUnderFaults(serverUrl: string, minutes: number): Promise<string> {
  const storageUrl = process.env.TEST_STORAGE_URL || undefined;
  const { calls, answers, jobs, faults, unknown, assets, credits, wrong, memoryMiB } = await soak(
    serverUrl,
    minutes,
    storageUrl,
  );
  for (const problem of wrong) console.error(problem);
  return [
    '## Two servers and a worker, under faults',
    '',
    `${minutes} minutes of four clients who send a call again until it is answered; PostgreSQL behind a proxy, bytes ${storageUrl ? 'in an object store behind another' : 'in files'}. Faults, one after the other: ${faults}.`,
    `${calls} calls; answers by status: ${answers}. ${jobs} jobs ended, ${assets} acknowledged assets compared with what is there, ${credits} credits by the`,
    `answers compared with the books, ${unknown} calls whose server died sent again with their key. Wrong: ${wrong.length}. Memory of the server that is never`,
    `killed, with its processes:`,
    '',
    ...memoryTable(memoryMiB),
  ].join('\n');
}

/**
 * Whether a server that is used for many things for a long time stays as large as it was. Four clients of as many addresses, each with
 * a wallet, one call after another.
 */
async function alone(minutes: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-mixed-'));
  const server = await startServer('src/main.ts', {
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    TRUSTED_PROXIES: '127.0.0.1',
    FREE_TOOLS_PER_HOUR: '1000000',
    PAID_TOOLS_PER_MINUTE: '100000',
    MCP_PER_MINUTE: '100000',
    UPLOADS_PER_HOUR: '100000',
    PAYMENTS: 'simulated',
  });
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(server.memoryMiB()), 5000);
  const statuses = new Map<number, number>();
  const until = performance.now() + minutes * 60_000;
  try {
    await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => busy(server.url, nth, until, statuses)));
  } finally {
    clearInterval(timer);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const answers = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  return [
    '## Mixed load',
    '',
    `${CLIENTS} clients for ${minutes} minutes: ten tools, uploads, searches, MCP, posts. Answers by status: ${answers.join(', ')}. Memory of all processes in ${PARTS} equal parts of the time:`,
    '',
    ...memoryTable(memory),
  ].join('\n');
}

function memoryTable(memory: readonly number[]): string[] {
  const size = Math.floor(memory.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, part) => memory.slice(part * size, (part + 1) * size));
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((all, value) => all + value, 0) / values.length);
  return [
    `| part | ${parts.map((_, part) => part + 1).join(' | ')} |`,
    `|${'---|'.repeat(PARTS + 1)}`,
    `| mean MiB | ${parts.map(mean).join(' | ')} |`,
    `| most MiB | ${parts.map((values) => Math.max(...values)).join(' | ')} |`,
  ];
}

async function busy(url: string, nth: number, until: number, statuses: Map<number, number>): Promise<void> {
  const wallet = `0x${String(nth + 1).repeat(40)}`;
  const headers = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': `198.51.100.${nth + 1}`,
    Authorization: `Bearer ${wallet}`,
  };
  const sizes = [await photo(800, 600), await photo(2000, 1333), await photo(300, 300)];
  const send = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const isRaw = Buffer.isBuffer(body);
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...(isRaw && { 'Content-Type': 'image/jpeg' }), ...more },
      body: isRaw ? new Uint8Array(body) : JSON.stringify(body),
    });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return response.json() as Promise<Record<string, string>>;
  };
  const buyCredits = () => toppedUp(async (path, body) => ({ body: await send(path, body) }), wallet);
  await buyCredits();
  const rpc = (method: string, params: object) => send('/mcp', { jsonrpc: '2.0', id: 1, method, params });
  for (let round = 0; performance.now() < until; round++) {
    const bytes = sizes[round % sizes.length]!;
    const image = bytes.toString('base64');
    const { uri } = await send('/api/uploads', bytes);
    const tool = (name: string, body: object, more?: Record<string, string>) =>
      send(`/api/tools/${name}`, body, more);
    await tool('resize_image', { image, width: 400, height: 400 }, { 'Idempotency-Key': `${nth}-${round}` });
    await tool('extract_palette', { image: uri });
    const { result } = await tool('watermark_embed', {
      image: uri,
      payload: `round ${round}`,
      output: 'url',
    });
    await tool('verify_provenance', { image: result ?? uri });
    if (round % 100 === 99) await buyCredits();
    if (round % 15 === 0)
      await tool('search_artworks', {
        query: ['stormy sea', 'portrait of a woman', 'japan'][(round / 15) % 3],
      });
    await tool('save_asset', { wallet, key: `k${round % 5}`, data: image, content_type: 'image/jpeg' });
    await tool('list_assets', { wallet });
    await rpc('tools/list', {});
    await rpc('tools/call', { name: 'resize_image', arguments: { image, width: 64, height: 64 } });
    await tool('no_such_tool', {});
    if (round % 10 === 0) await tool('vectorize_image', { image: uri });
    if (round % 10 === 5) await tool('remove_background', { image: uri, output: 'url' });
    if (round % 20 === 0) await send('/api/cafe/post', { name: 'Ada', message: `Round ${round} of ${nth}` });
  }
}
