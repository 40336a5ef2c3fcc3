import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadOf, median } from './support/load.ts';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 5;
/**
 * Time until the service is at rest: the first maintenance jobs, a minute after the start, are done, and
 * processes without a job have ended.
 */
const REST_MS = 75_000;
const LOAD_SECONDS = 20;
const LOOK_MS = 250;
/** Limits in MB (a million bytes) and in seconds. */
const LIMITS = { rest: 250, resizing: 500, install: 330, image: 170, startFactor: 1.5, startSeconds: 1 };
const MB_OF_MIB = 1024 ** 2 / 1e6;
/** Folders of the repository that are not in the image. */
const LEFT_OUT = ['docs', 'tests', 'bench', 'training'];

/** Measures start time, memory at rest and under load, and the sizes of an installation and of an image. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const node = join(folder, 'node');
  copyFileSync(process.execPath, node);
  try {
    const rows = [
      ...(await startRows(folder, node)),
      ...(await memoryRows(folder, node)),
      ...sizeRows(folder),
    ];
    return [
      '## Start time, memory and sizes',
      '',
      'Embedded database, `atelier start`. Memory is the proportional set size of all processes (with a copy of Node that no other program runs), with',
      'the resident set size in brackets. The image size is an estimate: Node, the installation, the sources and the system libraries that Node loads, as',
      'one gzip archive without a base system.',
      '',
      '| | measured | limit | met |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (what: string, measured: string, limit = '', isHeld?: boolean): string =>
  `| ${what} | ${measured} | ${limit} | ${isHeld === undefined ? '' : isHeld ? 'yes' : 'no'} |`;

const startAtelier = (node: string, dataDir: string): Promise<BenchServer> =>
  startServer(
    'bin/atelier.mjs',
    { DATA_DIR: dataDir, FREE_TOOLS_PER_HOUR: '1000000000' },
    { words: ['start'], node },
  );

async function startRows(folder: string, node: string): Promise<string[]> {
  const bare: Started[] = [];
  const cold: Started[] = [];
  const warm: Started[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataDir = join(folder, `start-${round}`);
    bare.push(await timeStart('/', () => startServer('bench/peers/bare_http.ts', {}, { node })));
    cold.push(await timeStart('/health', () => startAtelier(node, dataDir)));
    warm.push(await timeStart('/health', () => startAtelier(node, dataDir)));
  }
  const seconds = (times: Started[], pick: (time: Started) => number) => median(times.map(pick)) / 1000;
  const told = (times: Started[]) =>
    `${seconds(times, ({ ms }) => ms).toFixed(2)} s (processor: ${seconds(times, ({ cpuMs }) => cpuMs).toFixed(2)} s)`;
  const limit = LIMITS.startFactor * seconds(bare, ({ ms }) => ms) + LIMITS.startSeconds;
  const isHeld = (times: Started[]) => seconds(times, ({ ms }) => ms) <= limit;
  return [
    row(`start of a bare Node server, median of ${ROUNDS}`, told(bare)),
    row('start, an empty folder', told(cold), `${limit.toFixed(2)} s`, isHeld(cold)),
    row('start, a folder used before', told(warm), `${limit.toFixed(2)} s`, isHeld(warm)),
  ];
}

interface Started {
  readonly ms: number;
  readonly cpuMs: number;
}

/** From spawn to the first response. */
async function timeStart(path: string, start: () => Promise<BenchServer>): Promise<Started> {
  const started = performance.now();
  const server = await start();
  await (await fetch(`${server.url}${path}`)).arrayBuffer();
  const times = { ms: performance.now() - started, cpuMs: server.cpuMs() };
  await server.stop();
  return times;
}

async function memoryRows(folder: string, node: string): Promise<string[]> {
  const server = await startAtelier(node, join(folder, 'memory'));
  try {
    await wait(REST_MS);
    const peak = server.mainMemoryMiB().peak;
    const rest = { now: server.memoryMiB(), resident: server.residentMiB() };
    const resizing = await mostWhileResizing(server);
    await wait(REST_MS);
    const after = { now: server.memoryMiB(), resident: server.residentMiB() };
    const memory = (what: string, { now, resident }: typeof rest, limit: number) =>
      row(what, `${inMb(now)} MB (${inMb(resident)})`, `${limit} MB`, inMb(now) <= limit);
    return [
      memory('memory at rest', rest, LIMITS.rest),
      row('the most until then (RSS)', `${inMb(peak)} MB`),
      memory('four clients resizing 2000 × 1333, the most', resizing, LIMITS.resizing),
      memory(`${REST_MS / 1000} s later`, after, LIMITS.rest),
    ];
  } finally {
    await server.stop();
  }
}

const inMb = (mebibytes: number): number => Math.round(mebibytes * MB_OF_MIB);

async function mostWhileResizing(server: BenchServer): Promise<{ now: number; resident: number }> {
  const image = (await photo(2000, 1333)).toString('base64');
  const load = loadOf(
    {
      url: `${server.url}/api/tools/resize_image`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ image, width: 500, height: 500, format: 'jpeg', quality: 80 })),
    },
    4,
    LOAD_SECONDS,
  );
  let most = { now: 0, resident: 0 };
  const look = setInterval(() => {
    const now = server.memoryMiB();
    if (now > most.now) most = { now, resident: server.residentMiB() };
  }, LOOK_MS);
  await load.finally(() => clearInterval(look));
  return most;
}

/** Installs the committed files into a separate folder, like an operator. */
function sizeRows(folder: string): string[] {
  const place = join(folder, 'installed');
  sh(`mkdir '${place}' && git archive HEAD | tar x -C '${place}'`);
  // The prepared parts are made by the current Node, even if npm runs on another.
  const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` };
  execFileSync('npm', ['ci', '--omit=dev'], { cwd: place, env, stdio: 'ignore' });
  const megabytes = inMb(Number(sh(`du -sm '${place}/node_modules'`).split('\t')[0]));
  const libraries = sh(`ldd '${process.execPath}' | grep -o '/[^ ]*'`).trim().split('\n');
  const without = LEFT_OUT.map((name) => `--exclude='./${name}'`).join(' ');
  const packed = Number(
    sh(
      `tar chf - --ignore-failed-read ${without} '${process.execPath}' ${libraries.join(' ')} -C '${place}' . 2>/dev/null | gzip -6 | wc -c`,
    ),
  );
  const image = Math.round(packed / 1e6);
  return [
    row(
      '`npm ci --omit=dev`: node_modules',
      `${megabytes} MB`,
      `${LIMITS.install} MB`,
      megabytes <= LIMITS.install,
    ),
    row('an image, compressed (estimated)', `${image} MB`, `${LIMITS.image} MB`, image <= LIMITS.image),
  ];
}

const sh = (command: string): string =>
  execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
