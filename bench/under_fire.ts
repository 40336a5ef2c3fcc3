import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';

const SECONDS = Number(process.env.ATTACK_SECONDS ?? 20);
const MEMORY_EACH_MS = 200;
/** Another caller's small calls, one after another. */
const CALLS_EACH_MS = 100;
const MIB = 1024 * 1024;

interface Attack {
  readonly name: string;
  /** So many of its calls run at a time. */
  readonly atOnce: number;
  /** One call; `nth` counts them. Answers its status. */
  call(target: Target, nth: number): Promise<number>;
}

interface Target {
  readonly url: string;
  /** A result of about 100 MB, and its signed link. */
  readonly large: { readonly handle: string; readonly url: string };
  readonly pictures: Record<'small' | 'phone' | 'largest' | 'avif', Buffer>;
}

/**
 * What one client without credentials can do to a server with its default settings, from one address, and what it is like for another
 * address meanwhile. Targets: memory of all processes under 1.5 GB, p99 of a small call of the other under 2 s, no 5xx but the 503 that
 * says when to come back, and none of those for the other.
 */
export async function run(): Promise<string> {
  const names = (process.env.ATTACKS ?? '').split(',').filter(Boolean);
  const rows: string[] = [];
  for (const attack of attacks()) {
    if (names.length > 0 && !names.some((name) => attack.name.includes(name))) continue;
    rows.push(await row(attack));
    console.error(rows.at(-1));
  }
  return [
    '## Under fire',
    '',
    `Each attack for ${SECONDS} s on a fresh server with default settings, behind a proxy that names the callers: one address attacks, another asks for a small \`resize_image\` every ${CALLS_EACH_MS} ms. Memory is that of all processes (proportional set size). Targets: under 1536 MiB, p99 under 2000 ms, nothing refused to the other, no 5xx but 503.`,
    '',
    '| attack | at once | answers | its answers by status | memory MiB before → most → after | other: calls | refused | p50 ms | p99 ms |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function row(attack: Attack): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-fire-'));
  const server = await startServer('src/main.ts', {
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  try {
    const target = { url: server.url, large: await largeResult(server.url), pictures: await pictures() };
    await smallCall(target);
    const before = server.memoryMiB();
    const memory = watchMemory(server);
    const other = watchOther(target);
    const statuses = await kept(attack, target);
    const { refused, times } = await other.stop();
    const most = memory.stop();
    const after = server.memoryMiB();
    const answers = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
    const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? Number.NaN);
    return `| ${attack.name} | ${attack.atOnce} | ${sum([...statuses.values()])} | ${answers.join(', ')} | ${before} → ${most} → ${after} | ${times.length + refused} | ${refused} | ${at(0.5)} | ${at(0.99)} |`;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Keeps the calls of an attack going; answers how often each status came. 0 is a connection that broke. */
async function kept({ atOnce, call }: Attack, target: Target): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const until = performance.now() + SECONDS * 1000;
  let nth = 0;
  const attacker = async () => {
    while (performance.now() < until) {
      const status = await call(target, nth++).catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // Whoever is refused asks again at once, but leaves this process time to measure.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, attacker));
  return statuses;
}

function watchMemory(server: BenchServer) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, server.memoryMiB());
  }, MEMORY_EACH_MS);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function watchOther(target: Target) {
  const times: number[] = [];
  let refused = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      const status = await smallCall(target).catch(() => 0);
      if (status === 200) times.push(performance.now() - began);
      else refused += 1;
      await new Promise((resolve) => setTimeout(resolve, CALLS_EACH_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { refused, times: times.sort((a, b) => a - b) };
    },
  };
}

const ATTACKER = { 'X-Forwarded-For': '203.0.113.66' };
const OTHER = { 'X-Forwarded-For': '198.51.100.7' };

async function post(url: string, body: unknown, headers: Record<string, string> = ATTACKER): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await drained(response);
  return response.status;
}

/** An answer read to its end without being kept. */
async function drained({ body }: Response): Promise<void> {
  for await (const _ of body ?? []);
}

const tool = (target: Target, name: string, body: object, headers?: Record<string, string>) =>
  post(`${target.url}/api/tools/${name}`, body, headers);

const smallCall = (target: Target) =>
  tool(
    target,
    'resize_image',
    { image: target.pictures.small.toString('base64'), width: 200, height: 200 },
    OTHER,
  );

/** A sheet as TIFF, which is free and large. */
async function largeResult(url: string): Promise<Target['large']> {
  const sheet = { product_size: 'custom', custom_width_mm: 350, custom_height_mm: 350, dpi: 300 };
  const image = (await photo(1200, 1200)).toString('base64');
  const response = await fetch(`${url}/api/tools/print_ready`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.1' },
    body: JSON.stringify({ image, ...sheet, crop_marks: false, output: 'url', force: true }),
  });
  const { result, result_url, detail } = (await response.json()) as Record<string, string>;
  if (!result || !result_url) throw new Error(`no large result: ${detail}`);
  return { handle: result, url: result_url };
}

let made: Target['pictures'] | undefined;
async function pictures(): Promise<Target['pictures']> {
  made ??= {
    small: await photo(600, 400),
    phone: await photo(8064, 6048),
    largest: await photo(9000, 7000),
    avif: await sharp({ create: { width: 9000, height: 7000, channels: 3, background: '#888' } })
      .avif({ effort: 0 })
      .toBuffer(),
  };
  return made;
}

function attacks(): Attack[] {
  return [
    {
      ...{ name: '100 `resources/read` of 100 MB in one MCP batch', atOnce: 1 },
      call: ({ url, large }) => {
        const uri = `atelier://results/${large.handle.replace('result:', '')}`;
        const read = (id: number) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } });
        return post(
          `${url}/mcp`,
          Array.from({ length: 100 }, (_, id) => read(id)),
        );
      },
    },
    {
      ...{ name: 'one byte, HEAD and all of 100 MB', atOnce: 32 },
      async call({ large }, nth) {
        const response = await fetch(large.url, {
          method: nth % 3 === 1 ? 'HEAD' : 'GET',
          headers: { ...ATTACKER, ...(nth % 3 === 0 && { Range: 'bytes=5-5' }) },
        });
        await drained(response);
        return response.status === 206 ? 200 : response.status;
      },
    },
    {
      ...{ name: '`image: "result:…"` of 100 MB', atOnce: 32 },
      call: (target, nth) =>
        tool(target, nth % 2 ? 'extract_palette' : 'verify_provenance', {
          image: nth % 3 ? target.large.handle : target.large.url,
        }),
    },
    ...[3, 30].map((atOnce) => ({
      ...{ name: 'resizes to 7000 × 6600', atOnce },
      call: (target: Target) =>
        tool(target, 'resize_image', {
          ...{ image: target.pictures.small.toString('base64'), width: 7000, height: 6600 },
          ...{ mode: 'stretch', format: 'jpeg', output: 'url' },
        }),
    })),
    {
      ...{ name: '`verify_provenance` of 48 megapixels', atOnce: 8 },
      call: (target) =>
        tool(target, 'verify_provenance', { image: target.pictures.phone.toString('base64') }),
    },
    {
      ...{ name: 'every free picture tool with 63 megapixels', atOnce: 8 },
      call: (target, nth) =>
        tool(target, PICTURE_TOOLS[nth % PICTURE_TOOLS.length]!, {
          image: target.pictures.largest.toString('base64'),
          ...{ width: 100, height: 100, payload: 'Ada', output: 'url' },
        }),
    },
    {
      ...{ name: 'AVIF of 63 megapixels in under 10 kB', atOnce: 8 },
      call: (target) =>
        tool(target, 'resize_image', {
          ...{ image: target.pictures.avif.toString('base64'), width: 100, height: 100 },
        }),
    },
    {
      ...{ name: 'bodies of 8 MB that arrive in a minute', atOnce: 150 },
      call: ({ url }) => slowBody(`${url}/api/tools/resize_image`, 8 * MIB),
    },
    {
      ...{ name: 'uploads of 20 MB', atOnce: 8 },
      async call({ url }) {
        const headers = { 'Content-Type': 'image/png', ...ATTACKER };
        const response = await fetch(`${url}/api/uploads`, { method: 'POST', headers, body: UPLOAD });
        await drained(response);
        return response.status;
      },
    },
    {
      ...{ name: 'a wallet nobody has registered in each call', atOnce: 16 },
      call: (target, nth) =>
        tool(
          target,
          nth % 2 ? 'search_artworks' : 'search_tools',
          { query: 'sea' },
          { ...ATTACKER, Authorization: `Bearer 0x${nth.toString(16).padStart(40, '0')}` },
        ),
    },
    {
      ...{ name: '100 `tools/list` in one MCP batch', atOnce: 8 },
      call: ({ url }) =>
        post(
          `${url}/mcp`,
          Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
        ),
    },
    {
      ...{ name: 'jobs that resize to 7000 × 6600', atOnce: 30 },
      call: (target) =>
        tool(
          target,
          'resize_image',
          {
            ...{ image: target.pictures.small.toString('base64'), width: 7000, height: 6600 },
            ...{ mode: 'stretch', output: 'url' },
          },
          { ...ATTACKER, Prefer: 'respond-async' },
        ),
    },
  ];
}

const UPLOAD = Buffer.alloc(20 * MIB, 1);

const PICTURE_TOOLS = [
  ...['extract_palette', 'remove_background', 'vectorize_image', 'convert_color_profile', 'resize_image'],
  ...['watermark_detect', 'watermark_embed', 'print_ready', 'verify_provenance'],
];

/** Most of a body at once, the rest a byte a second, until it is cut or a minute is over. */
function slowBody(url: string, bytes: number): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': bytes, ...ATTACKER },
    });
    const drip = setInterval(() => sent.write(' '), 1000);
    const over = setTimeout(() => sent.destroy(), SECONDS * 1000);
    const done = (status: number) => {
      clearInterval(drip);
      clearTimeout(over);
      sent.destroy();
      resolve(status);
    };
    sent.once('response', ({ statusCode }) => done(statusCode ?? 0));
    sent.once('error', () => done(0));
    sent.once('close', () => done(0));
    sent.write(Buffer.alloc(bytes - 1000, ' '));
  });
}
