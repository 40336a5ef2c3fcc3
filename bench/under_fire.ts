import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { CPU_SECONDS_BURST } from '../src/config/limits.ts';
import { writeTar } from '../src/features/account/export/export.ts';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';
import { type Watched, type WatchedCall, watchCalls } from './support/watch_calls.ts';

const SECONDS = Number(process.env.ATTACK_SECONDS ?? 20);
/** Seconds before each attack in which the idle server is measured. */
const IDLE_SECONDS = 3;
const MEMORY_EACH_MS = 200;
/** Pauses between requests of another address, and between health checks. */
const OTHER_PAUSE_MS = 100;
const HEALTH_PAUSE_MS = 50;
const MIB = 1024 * 1024;

interface Attack {
  readonly name: string;
  /** Number of attacking addresses, default 1. */
  readonly addresses?: number;
  /** Concurrent calls, over all addresses. */
  readonly atOnce: number;
  /**
   * One call; `nth` is its number, `headers` contain its address. Returns its status; 0 is a broken
   * connection.
   */
  call(target: Target, nth: number, headers: Record<string, string>): Promise<number>;
}

interface Target {
  readonly url: string;
  /** A result of about 100 MB, and its signed link. */
  readonly large: { readonly handle: string; readonly url: string };
  readonly images: Images;
  /** Bodies that are the same in every call, in encoded form. */
  readonly bodies: Map<string, Buffer>;
}

type Images = Record<'small' | 'square' | 'phone' | 'largest' | 'avif', Buffer>;

/**
 * What clients without credentials can do to a server with default settings, and its effect on another
 * address. Targets: a small `resize_image` of the other address is never refused and has p99 ≤ 1 s; `/health`
 * has p99 ≤ 250 ms; the main process stays below 512 MiB, all processes below 1536 MiB; no 5xx except the 503
 * that says when to retry.
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
    `Each attack runs for ${SECONDS} s against a new server with default settings behind a proxy that passes on client addresses. Another client calls \`resize_image\` (to 200 px) ${OTHER_PAUSE_MS} ms after each response, and \`/health\` is requested ${HEALTH_PAUSE_MS} ms after each response, both from separate threads. The same traffic for ${IDLE_SECONDS} s before the attack shows the noise of the machine. Cores are CPU seconds of the main process per second. Memory is the peak of the main process (resident) and of all processes (proportional set size). Targets: no refusal for the other client, its p99 ≤ 1,000 ms, p99 of \`/health\` ≤ 250 ms, main process ≤ 512 MiB, all ≤ 1,536 MiB, no 5xx except 503.`,
    '',
    '| attack | addresses | at once | answers | by status | other: calls | refused | p50 ms | p99 ms | health: p50 ms | p99 ms | idle: both p99 ms | main: cores | MiB | all MiB: before → most → after | missed |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const TARGETS = { otherMs: 1000, healthMs: 250, mainMiB: 512, allMiB: 1536 };

async function row(attack: Attack): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-fire-'));
  const server = await startServer('src/main.ts', {
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    CPU_SECONDS_BURST: String(CPU_SECONDS_BURST),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  try {
    const images = await allImages();
    const target = { url: server.url, large: await largeResult(server.url), images, bodies: new Map() };
    const small = smallCall(target);
    await fetch(small.url, small);
    const idle = await watchIdle([small, healthCall(target)]);
    const [before, beganMs, cpuMs] = [server.memoryMiB(), performance.now(), server.mainCpuMs()];
    const memory = watchMemory(server);
    const stopWatching = await watchCalls([small, healthCall(target)]);
    const statuses = await kept(attack, target);
    const cores = (server.mainCpuMs() - cpuMs) / (performance.now() - beganMs);
    const watched = await stopWatching();
    const { main, all } = memory.stop();
    const answers = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
    const [other, health] = [watched.get('other')!, watched.get('health')!];
    const missed = [
      ...(other.refused > 0 ? ['refused'] : []),
      ...(quantile(other.times, 0.99) <= TARGETS.otherMs ? [] : ['other p99']),
      ...(quantile(health.times, 0.99) <= TARGETS.healthMs && health.refused === 0 ? [] : ['health']),
      ...(main <= TARGETS.mainMiB ? [] : ['main']),
      ...(all <= TARGETS.allMiB ? [] : ['all']),
      ...([...statuses.keys()].some((status) => status >= 500 && status !== 503) ? ['5xx'] : []),
    ];
    const cells = [
      attack.name,
      attack.addresses ?? 1,
      attack.atOnce,
      sum([...statuses.values()]),
      answers.join(', '),
      other.times.length + other.refused,
      other.refused,
      quantile(other.times, 0.5),
      quantile(other.times, 0.99),
      quantile(health.times, 0.5),
      quantile(health.times, 0.99),
      `${quantile(idle.get('other')!.times, 0.99)}, ${quantile(idle.get('health')!.times, 0.99)}`,
      cores.toFixed(2),
      main,
      `${before} → ${all} → ${server.memoryMiB()}`,
      missed.join(', ') || 'none',
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Quantile of ascending values. */
const quantile = (values: readonly number[], share: number): number =>
  Math.round(values[Math.ceil(share * values.length) - 1] ?? Number.NaN);

/** Keeps the calls of an attack running; returns how often each status occurred. 0 is a broken connection. */
async function kept({ atOnce, addresses = 1, call }: Attack, target: Target): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const until = performance.now() + SECONDS * 1000;
  let nth = 0;
  const attacker = async (_: unknown, at: number) => {
    const headers = { 'X-Forwarded-For': `203.0.113.${66 + (at % addresses)}` };
    while (performance.now() < until) {
      const status = await call(target, nth++, headers).catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A refused client retries at once, but leaves this process time to measure.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, attacker));
  return statuses;
}

/** Times of the same requests before the attack, to show the noise of the machine. */
async function watchIdle(calls: readonly WatchedCall[]): Promise<Map<string, Watched>> {
  const stop = await watchCalls(calls);
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000));
  return stop();
}

function watchMemory(server: BenchServer) {
  const most = { main: 0, all: 0 };
  const timer = setInterval(() => {
    most.main = Math.max(most.main, server.mainMemoryMiB().now);
    most.all = Math.max(most.all, server.memoryMiB());
  }, MEMORY_EACH_MS);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(url: string, body: string | Buffer, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: body as Uint8Array<ArrayBuffer>,
  });
  await drained(response);
  return response.status;
}

/** Reads a response to its end and discards it. */
async function drained({ body }: Response): Promise<void> {
  for await (const _ of body ?? []);
}

const tool = (target: Target, name: string, body: string | Buffer, headers: Record<string, string>) =>
  post(`${target.url}/api/tools/${name}`, body, headers);

/** A body that is created once per server, so that creating it takes no time from the attack. */
function bodyOf({ bodies }: Target, name: string, make: () => unknown): Buffer {
  const known = bodies.get(name) ?? Buffer.from(JSON.stringify(make()));
  bodies.set(name, known);
  return known;
}

/** A tool call that is the same every time. */
const repeated =
  (toolName: string, make: (images: Images) => object, more: Record<string, string> = {}): Attack['call'] =>
  (target, _nth, headers) => {
    const body = bodyOf(target, toolName + JSON.stringify(more), () => make(target.images));
    return tool(target, toolName, body, { ...headers, ...more });
  };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const smallCall = ({ url, images }: Target): WatchedCall => ({
  name: 'other',
  url: `${url}/api/tools/resize_image`,
  method: 'POST',
  pauseMs: OTHER_PAUSE_MS,
  headers: { ...JSON_TYPE, 'X-Forwarded-For': '198.51.100.7' },
  body: JSON.stringify({ image: base64(images.small), width: 200, height: 200 }),
});

const healthCall = ({ url }: Target): WatchedCall => ({
  name: 'health',
  url: `${url}/health`,
  method: 'GET',
  pauseMs: HEALTH_PAUSE_MS,
  headers: { 'X-Forwarded-For': '198.51.100.8' },
});

/** A sheet as TIFF, which is free and large. */
async function largeResult(url: string): Promise<Target['large']> {
  const sheet = { product_size: 'custom', custom_width_mm: 350, custom_height_mm: 350, dpi: 300 };
  const image = (await photo(1200, 1200)).toString('base64');
  const response = await fetch(`${url}/api/tools/print_ready`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'X-Forwarded-For': '192.0.2.1' },
    body: JSON.stringify({ image, ...sheet, crop_marks: false, output: 'url', force: true }),
  });
  const { result, result_url, detail } = (await response.json()) as Record<string, string>;
  if (!result || !result_url) throw new Error(`no large result: ${detail}`);
  return { handle: result, url: result_url };
}

let made: Images | undefined;
async function allImages(): Promise<Images> {
  made ??= {
    small: await photo(600, 400),
    square: await photo(2828, 2828),
    phone: await photo(8064, 6048),
    largest: await photo(9000, 7000),
    avif: await sharp({ create: { width: 9000, height: 7000, channels: 3, background: '#888' } })
      .avif({ effort: 0 })
      .toBuffer(),
  };
  return made;
}

function attacks(): Attack[] {
  return [...ofResults(), ...ofImages(), ...ofStructure(), ...ofConnections(), ...ofFiles()];
}

function ofResults(): Attack[] {
  return [
    {
      name: '100 `resources/read` of 100 MB in one MCP batch',
      atOnce: 1,
      call: (target, _nth, headers) => {
        const uri = `atelier://results/${target.large.handle.replace('result:', '')}`;
        const read = (id: number) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } });
        const body = bodyOf(target, 'read', () => Array.from({ length: 100 }, (_, id) => read(id)));
        return post(`${target.url}/mcp`, body, headers);
      },
    },
    {
      name: 'one byte, HEAD and all of 100 MB',
      atOnce: 32,
      async call({ large }, nth, headers) {
        const response = await fetch(large.url, {
          method: nth % 3 === 1 ? 'HEAD' : 'GET',
          headers: { ...headers, ...(nth % 3 === 0 && { Range: 'bytes=5-5' }) },
        });
        await drained(response);
        return response.status === 206 ? 200 : response.status;
      },
    },
    {
      name: '`image: "result:…"` of 100 MB',
      atOnce: 32,
      call: (target, nth, headers) => {
        const image = nth % 3 ? target.large.handle : target.large.url;
        const name = nth % 2 ? 'extract_palette' : 'verify_provenance';
        return tool(target, name, JSON.stringify({ image }), headers);
      },
    },
  ];
}

const RESIZES = {
  'resizes to 200 px': { width: 200, height: 200, format: 'png' },
  // 0.9 s of CPU time on the reference machine of the predictions: just below the limit.
  'resizes to 2400 px, just short': { width: 2400, height: 2400, format: 'webp' },
  'resizes to 4000 px, long': { width: 4000, height: 4000, format: 'jpeg' },
  'resizes to 7000 × 6600, long and large': { width: 7000, height: 6600, format: 'jpeg' },
};

function ofImages(): Attack[] {
  const floods = Object.entries(RESIZES).flatMap(([name, size]) =>
    [
      { addresses: 1, atOnce: 30 },
      { addresses: 2, atOnce: 60 },
    ].map((from) => ({
      name,
      ...from,
      call: repeated('resize_image', ({ small }) => ({
        image: base64(small),
        mode: 'stretch',
        output: 'url',
        ...size,
      })),
    })),
  );
  const parts = repeated('watermark_detect', ({ square }) => ({ image: base64(square), parts: true }));
  return [
    { name: '`watermark_detect {parts: true}` of 2828 × 2828', addresses: 2, atOnce: 4, call: parts },
    ...floods,
    {
      name: '`verify_provenance` of 48 megapixels',
      atOnce: 8,
      call: repeated('verify_provenance', ({ phone }) => ({ image: base64(phone) })),
    },
    {
      name: 'every free image tool with 63 megapixels',
      atOnce: 8,
      call: (target, nth, headers) => {
        const body = bodyOf(target, 'largest', () => ({
          image: base64(target.images.largest),
          width: 100,
          height: 100,
          payload: 'Ada',
          output: 'url',
        }));
        return tool(target, IMAGE_TOOLS[nth % IMAGE_TOOLS.length]!, body, headers);
      },
    },
    {
      name: 'AVIF of 63 megapixels in under 10 kB',
      atOnce: 8,
      call: repeated('resize_image', ({ avif }) => ({ image: base64(avif), width: 100, height: 100 })),
    },
    {
      name: 'jobs that resize to 7000 × 6600',
      atOnce: 30,
      call: repeated(
        'resize_image',
        ({ small }) => ({
          image: base64(small),
          width: 7000,
          height: 6600,
          mode: 'stretch',
          output: 'url',
        }),
        { Prefer: 'respond-async' },
      ),
    },
  ];
}

/** Bodies of 1 MB that are small in bytes and large in values. */
const STRUCTURES = {
  'empty arrays': () => `{"query":5,"x":[${'[],'.repeat(MIB / 3)}[]]}`,
  '60,000 keys': () =>
    `{"query":5,"x":{${Array.from({ length: 60_000 }, (_, at) => `"key${at}":${at}`).join(',')}}}`,
  'deep nesting': () => `{"query":5,"x":${'['.repeat(MIB / 2)}${']'.repeat(MIB / 2)}}`,
};

function ofStructure(): Attack[] {
  const floods = Object.entries(STRUCTURES).flatMap(([name, make]) => {
    const body = Buffer.from(make());
    return [6, 40].map((atOnce) => ({
      name: `JSON of ${(body.length / 1e6).toFixed(1)} MB: ${name}`,
      atOnce,
      call: (target: Target, _nth: number, headers: Record<string, string>) =>
        tool(target, 'search_tools', body, headers),
    }));
  });
  return [
    ...floods,
    {
      name: '100 `tools/list` in one MCP batch',
      atOnce: 8,
      call: (target, _nth, headers) => {
        const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
        const body = bodyOf(target, 'list', () => Array.from({ length: 100 }, (_, id) => list(id)));
        return post(`${target.url}/mcp`, body, headers);
      },
    },
    {
      name: 'a wallet that is not registered in each call',
      atOnce: 16,
      call: (target, nth, headers) =>
        tool(target, nth % 2 ? 'search_artworks' : 'search_tools', '{"query":"sea"}', {
          ...headers,
          Authorization: `Bearer 0x${nth.toString(16).padStart(40, '0')}`,
        }),
    },
  ];
}

function ofConnections(): Attack[] {
  return [
    {
      name: 'bodies of 8 MB that arrive in a minute',
      atOnce: 150,
      call: ({ url }, _nth, headers) => slowBody(`${url}/api/tools/resize_image`, 8 * MIB, headers),
    },
    {
      name: 'headers sent by half on 255 connections each',
      addresses: 17,
      atOnce: 17 * 255,
      call: ({ url }, nth) => halfHeader(new URL(url), `127.0.1.${1 + (nth % 17)}`),
    },
    {
      name: 'uploads of 20 MB',
      atOnce: 8,
      async call({ url }, _nth, headers) {
        const sent = { 'Content-Type': 'image/png', ...headers };
        const response = await fetch(`${url}/api/uploads`, { method: 'POST', headers: sent, body: UPLOAD });
        await drained(response);
        return response.status;
      },
    },
  ];
}

const UPLOAD = Buffer.alloc(20 * MIB, 1);

const IMAGE_TOOLS = [
  'extract_palette',
  'remove_background',
  'vectorize_image',
  'convert_color_profile',
  'resize_image',
  'watermark_detect',
  'watermark_embed',
  'print_ready',
  'verify_provenance',
];

function ofFiles(): Attack[] {
  return [
    {
      name: 'PDF of 2.3 million filled triangles',
      addresses: 2,
      atOnce: 4,
      call: repeated('preflight_file', () => ({ file: base64(pdf(TRIANGLES, '0 0 600 800')) })),
    },
    {
      name: 'PDF with MediaBox ±1e300',
      addresses: 2,
      atOnce: 4,
      call: repeated('preflight_file', () => ({
        file: base64(pdf('0 0 0 1 k 0 0 9 9 re f', `-${HUGE} -${HUGE} ${HUGE} ${HUGE}`)),
      })),
    },
    { name: 'wallet archives with a manifest of 32 MB', addresses: 2, atOnce: 4, call: importHostile },
  ];
}

/** Numbers in PDF have no exponent. */
const HUGE = `1${'0'.repeat(300)}`;
const TRIANGLES = '0 0 0 1 k\n'.concat('9 9 m 20 9 l 9 20 l f\n'.repeat(2_300_000));

/** A PDF of one page. */
function pdf(content: string, mediaBox: string): Buffer {
  const stream = deflateSync(content);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] /Resources << >> /Contents 4 0 R >>`,
  ].map((text) => Buffer.from(text));
  const head = Buffer.from(`<< /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`);
  objects.push(Buffer.concat([head, stream, Buffer.from('\nendstream')]));
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((object, at) => {
    const offset = sum(parts.map(({ length }) => length));
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = sum(parts.map(({ length }) => length));
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`)]);
}

/** Sessions of wallets, by server: only the owner of a wallet may import an archive. */
const sessions = new Map<string, Promise<{ token: string; archive: Buffer }>>();

async function importHostile({ url }: Target, nth: number, headers: Record<string, string>): Promise<number> {
  // An owner may import 20 archives an hour.
  const key = `${url} ${headers['X-Forwarded-For']} ${Math.floor(nth / 20)}`;
  const session = sessions.get(key) ?? ownSession(url, headers);
  sessions.set(key, session);
  const { token, archive } = await session;
  const own = { ...headers, 'Content-Type': 'application/x-tar', Authorization: `Bearer ${token}` };
  return post(`${url}/api/wallet/import`, archive, own);
}

async function ownSession(url: string, headers: Record<string, string>) {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase();
  const ask = async (path: string, body: object) => {
    const sent = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
    return (await (await fetch(`${url}/api/wallet/${path}`, sent)).json()) as Record<string, string>;
  };
  await ask('register', { wallet });
  const { message } = await ask('challenge', { wallet });
  const signature = await account.signMessage({ message: message! });
  const { token } = await ask('session', { message, signature });
  if (!token) throw new Error('no session');
  return { token, archive: await hostileArchive(wallet) };
}

/** Half a million assets, each invalid in every field. */
async function hostileArchive(wallet: string): Promise<Buffer> {
  const head = `{"format":"atelier-wallet","version":1,"wallet":"${wallet}","server":"x","exported_at":5,"records":[],"assets":[`;
  const asset = '{"versions":[{}],"key":5,"metadata":"[[[[["},';
  const bytes = 32 * MIB - 8;
  const text = Buffer.from(
    `${head}${asset.repeat(Math.floor((bytes - head.length - 4) / asset.length))}{}]}`,
  );
  async function* entries() {
    yield { name: 'manifest.json', size: text.length, bytes: [text] };
    yield { name: 'signature.jws', size: 5, bytes: [Buffer.from('a.b.c')] };
  }
  return Buffer.concat(await Array.fromAsync(writeTar(entries(), new Date(0))));
}

/** A connection that sends half a header and waits until the server or the attack ends it. */
function halfHeader({ hostname, port }: URL, localAddress: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    const over = setTimeout(() => socket.destroy(), SECONDS * 1000);
    let status = 0;
    socket.once('connect', () => socket.write('GET /health HTTP/1.1\r\nHost: atelier.test\r\nX-Half: '));
    socket.on('data', (piece) => {
      status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(piece.toString('latin1'))?.[1] ?? 0);
    });
    socket.once('error', () => {});
    socket.once('close', () => {
      clearTimeout(over);
      resolve(status);
    });
  });
}

/**
 * Sends most of a body at once and the rest at a byte per second, until it is cut off or a minute has passed.
 */
function slowBody(url: string, bytes: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': bytes, ...headers },
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
