import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MUSEUM_FILES, museumPath } from './support/artworks.ts';
import { startServer } from './support/server.ts';

const QUIET_MS = 10_000;
const PAUSE_MS = 20;
const WORDS = ['stormy sea', 'portrait of a woman', 'rembrandt', 'japanese print', 'flowers in a vase'];

/** What callers wait for while `atelier dataset import` fills the embedded database of the server they call. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: '',
    TRUSTED_PROXIES: '127.0.0.1',
    FREE_TOOLS_PER_HOUR: '1000000000',
  };
  const server = await startServer('src/main.ts', settings);
  const call = callsTo(server.url);
  await call.measure(1000);
  const quiet = await call.measure(QUIET_MS);
  const [museum, path] = MUSEUM_FILES[1]!;
  const ended = imported([museum, museumPath(path)], settings);
  const busy = await call.measure(ended.then(() => {}));
  const { seconds, rows } = await ended;
  await server.stop();
  rmSync(folder, { recursive: true });
  const line = (what: string, times: Record<string, number[]>) =>
    Object.entries(times).map(([name, all]) => `| ${what} | ${name} | ${all.length} | ${figures(all)} |`);
  return [
    '## Calls during an import',
    '',
    `One caller asks one thing after the other, ${PAUSE_MS} ms apart, of a server on the embedded database: first at rest, then while the command`,
    `line imports ${rows.toLocaleString('en')} rows into it, which took ${seconds.toFixed(0)} s.`,
    '',
    '| server | call | calls | p50 ms | p95 ms | p99 ms | longest ms |',
    '|---|---|---|---|---|---|---|',
    ...line('at rest', quiet),
    ...line('during the import', busy),
  ].join('\n');
}

function callsTo(url: string) {
  let asked = 0;
  const calls: Record<string, () => Promise<Response>> = {
    'search_tools (no database)': () => post(`${url}/api/tools/search_tools`, {}),
    'health (one statement)': () => fetch(`${url}/health`),
    search_artworks: () =>
      post(
        `${url}/api/tools/search_artworks`,
        { query: WORDS[asked++ % WORDS.length] },
        `10.0.${(asked / 40) | 0}.1`,
      ),
  };
  return {
    /** Milliseconds of each call, one at a time, for so long. */
    async measure(until: number | Promise<void>): Promise<Record<string, number[]>> {
      const times: Record<string, number[]> = {};
      let isOver = false;
      const over = typeof until === 'number' ? wait(until) : until;
      void over.then(() => {
        isOver = true;
      });
      while (!isOver) {
        for (const [name, ask] of Object.entries(calls)) {
          const started = performance.now();
          const response = await ask();
          await response.arrayBuffer();
          times[name] = [...(times[name] ?? []), performance.now() - started];
          if (!response.ok) throw new Error(`${name}: ${response.status}`);
        }
        await wait(PAUSE_MS);
      }
      return times;
    },
  };
}

/** From an address of its own where one has only so many calls an hour. */
const post = (url: string, body: object, from = '10.0.0.1') =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify(body),
  });

async function imported(words: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'dataset', 'import', '--shrink', ...words], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = performance.now();
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  const rows = Number(/(\d+) rows/.exec(text)![1]);
  return { seconds: (performance.now() - started) / 1000, rows };
}

function figures(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  return [0.5, 0.95, 0.99, 1].map((share) => at(share).toFixed(1)).join(' | ');
}
