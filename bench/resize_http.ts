import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Load, loadOf, median, type Target } from './support/load.ts';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.ROUND_SECONDS ?? 5);
const UNLIMITED = { FREE_TOOLS_PER_HOUR: '1000000000' };

interface Contestant {
  readonly name: string;
  readonly server: BenchServer;
  readonly target: Target;
  readonly loads: Measured[];
}

interface Measured extends Load {
  readonly cpuMs: number;
  /** Peak of all processes, with shared memory counted once. */
  readonly memoryMiB: number;
}

const MEMORY_EACH_MS = 500;

/**
 * Resize over HTTP, 2000 × 1333 → fit 500, JPEG q80: the service with base64, JSON and signed links, and from
 * uploads, compared with two peers.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const jpeg = await photo(2000, 1333);
  writeFileSync(join(folder, 'photo.jpg'), jpeg);
  const contestants = await start(folder, jpeg);
  for (const connections of [1, 4]) for (const one of contestants) await loadOf(one.target, connections, 2);
  const sections: string[] = [];
  for (const connections of [1, 4]) {
    for (const one of contestants) one.loads.length = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const one of contestants) one.loads.push(await measured(one, connections));
    }
    sections.push(table(connections, contestants));
  }
  await Promise.all(contestants.map(({ server }) => server.stop()));
  rmSync(folder, { recursive: true });
  return `## Resize over HTTP\n\nA 2000 × 1333 JPEG (${Math.round(jpeg.length / 1024)} kB) fitted into 500 px, quality 80. ${ROUNDS} rounds of ${SECONDS} s per contestant in turn, medians. "Atelier" averages in linear light, "gamma" in gamma-encoded values; both read and return base64 in JSON and add a signed link. "Upload to link" reads an uploaded file and returns a link. "Bare sharp, JSON" reads and returns the same base64 and does nothing else. "Bare sharp" reads and returns bytes. IPX reads a file. Memory is the peak of all processes (proportional set size). On a busy machine compare CPU time: more processes get a larger share of it.\n\n${sections.join('\n\n')}`;
}

async function measured({ target, server }: Contestant, connections: number): Promise<Measured> {
  let memoryMiB = 0;
  const timer = setInterval(() => {
    memoryMiB = Math.max(memoryMiB, server.memoryMiB());
  }, MEMORY_EACH_MS);
  const before = server.cpuMs();
  const load = await loadOf(target, connections, SECONDS).finally(() => clearInterval(timer));
  return { ...load, memoryMiB, cpuMs: (server.cpuMs() - before) / load.requests };
}

async function start(folder: string, jpeg: Buffer): Promise<Contestant[]> {
  const bare = await startServer('bench/peers/bare_sharp.ts');
  const json = await startServer('bench/peers/bare_sharp_json.ts');
  const ipx = await startServer('bench/peers/ipx.ts', { BENCH_FOLDER: folder });
  const atelier = await startServer('src/main.ts', { ...UNLIMITED, DATA_DIR: join(folder, 'data') });
  const wanted = { width: 500, height: 500, format: 'jpeg', quality: 80 };
  const uploaded = await fetch(`${atelier.url}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg' },
    body: new Uint8Array(jpeg),
  });
  const { uri } = (await uploaded.json()) as { uri: string };
  const image = jpeg.toString('base64');
  const sent = (body: object) => ({
    method: 'POST' as const,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify({ ...wanted, ...body })),
  });
  const url = `${atelier.url}/api/tools/resize_image`;
  return [
    { name: 'bare sharp', server: bare, loads: [], target: { url: bare.url, method: 'POST', body: jpeg } },
    { name: 'bare sharp, JSON', server: json, loads: [], target: { url: json.url, ...sent({ image }) } },
    {
      name: 'IPX',
      server: ipx,
      loads: [],
      target: { url: `${ipx.url}/f_jpeg,q_80,s_500x500,fit_inside/photo.jpg` },
    },
    {
      name: 'Atelier, gamma',
      server: atelier,
      loads: [],
      target: { url, ...sent({ image, light: 'gamma' }) },
    },
    { name: 'Atelier', server: atelier, loads: [], target: { url, ...sent({ image }) } },
    {
      name: 'Atelier, gamma, upload to link',
      server: atelier,
      loads: [],
      target: { url, ...sent({ image: uri, output: 'url', light: 'gamma' }) },
    },
    {
      name: 'Atelier, upload to link',
      server: atelier,
      loads: [],
      target: { url, ...sent({ image: uri, output: 'url' }) },
    },
  ];
}

function table(connections: number, contestants: readonly Contestant[]): string {
  const [bytes, json] = contestants.map(({ loads }) => loads) as [Measured[], Measured[]];
  const rows = contestants.map(({ name, loads }) => {
    const of = (pick: (load: Measured) => number, digits = 0) => median(loads.map(pick)).toFixed(digits);
    const ratio = (peer: Measured[]) =>
      median(loads.map((load, round) => load.requestsPerSecond / peer[round]!.requestsPerSecond)).toFixed(2);
    return `| ${name} | ${of((load) => load.requestsPerSecond)} | **${ratio(bytes)}** | **${ratio(json)}** | ${of((load) => load.cpuMs, 1)} | ${of((load) => load.p50Ms)} | ${of((load) => load.p95Ms)} | ${Math.max(...loads.map(({ memoryMiB }) => memoryMiB))} |`;
  });
  return `${connections} ${connections === 1 ? 'client' : 'clients'}:\n\n| | requests/s | of bare sharp | of bare sharp, JSON | processor ms a request | p50 ms | p97.5 ms | most MiB |\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`;
}
