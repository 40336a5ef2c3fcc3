import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, type WriteStream, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/core/database/open_database.ts';
import { readRunning } from '../../src/features/artworks/releases/edition_store.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

/** The command line beside a running server on the embedded database (decision 14). */

vi.setConfig({ testTimeout: 240_000 });
const folder = mkdtempSync(join(tmpdir(), 'atelier-serving-'));
const settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: '', FREE_TOOLS_PER_HOUR: '100000' };
let service: ServiceProcess;
beforeAll(async () => {
  service = await startService(settings);
});
afterAll(async () => {
  service.process.kill('SIGTERM');
  await once(service.process, 'exit');
  rmSync(folder, { recursive: true });
});

/** An answer of the Met's interface. */
const work = (objectID: number, title: string) =>
  `${JSON.stringify({ objectID, title, isPublicDomain: true, objectDate: '1888' })}\n`;
const works = (from: number, count: number, title: string) =>
  Array.from({ length: count }, (_, at) => work(from + at, title)).join('');
const written = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

interface Command {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number; out: string; err: string }>;
}

/** `atelier dataset …`, in another folder than the server's. */
function dataset(...words: string[]): Command {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../src/interfaces/cli/main.ts'), 'dataset', ...words],
    {
      cwd: folder,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const texts = [text(child.stdout), text(child.stderr)] as const;
  const ended = once(child, 'exit').then(async ([code]) => ({
    code,
    out: await texts[0],
    err: await texts[1],
  }));
  return { child, ended };
}

/** Imports what is written into a pipe, so that it runs for as long as the test wants. */
async function importing(name: string): Promise<Command & { pipe: WriteStream }> {
  execFileSync('mkfifo', [join(folder, name)]);
  const command = dataset('import', 'met', name, '--part');
  const pipe = createWriteStream(join(folder, name)).on('error', () => {});
  await once(pipe, 'open');
  return { ...command, pipe };
}

const found = async (query: string): Promise<number> => {
  const response = await fetch(`${service.url}/api/tools/search_artworks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { total_results: number }).total_results;
};
/** How far the import has come, asked through the server as the command line does. */
async function rowsRead(): Promise<number> {
  const database = await openDatabase({ dataDir: settings.DATA_DIR, mayJoin: true });
  const running = await readRunning(database);
  await database.close();
  return running?.report.rows ?? 0;
}
const hasBegun = () =>
  vi.waitFor(async () => expect(await rowsRead()).toBeGreaterThan(0), { timeout: WAIT_MS_MAX });
const status = async () => (await dataset('status').ended).out;

test('imports beside a running server are searchable at once, and withdrawn works disappear', async () => {
  const path = written('zebras.jsonl', works(1, 3, 'Zebra at noon'));
  expect(await found('zebra')).toBe(0);
  expect(await dataset('import', 'met', 'zebras.jsonl', '--shrink').ended).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 rows, 3 new'),
  });
  expect(await found('zebra')).toBe(3);
  expect((await dataset('import', 'met', path).ended).out).toContain('3 unchanged');
  expect((await dataset('withdraw', 'met_2', 'asked', 'for').ended).code).toBe(0);
  expect(await found('zebra')).toBe(2);
});

test('a concurrent import is refused, and Ctrl-C leaves nothing of the first', async () => {
  const first = await importing('giraffes.jsonl');
  first.pipe.write(works(1000, 250, 'Giraffe'));
  await hasBegun();
  expect(await status()).toMatch(/^Importing met from giraffes.jsonl: 2\d\d rows/m);
  expect(await dataset('import', 'met', 'zebras.jsonl', '--shrink').ended).toMatchObject({
    code: 1,
    err: expect.stringContaining('An import is running already'),
  });
  first.child.kill('SIGINT');
  await wait(200); // the signal is there before the next rows
  first.pipe.end(works(2000, 250, 'Giraffe'));
  expect(await first.ended).toMatchObject({ code: 130 });
  expect(await found('giraffe')).toBe(0);
  expect(await status()).toContain('was interrupted');
});

test('a server killed during an import leaves no partial import and no blocking socket', async () => {
  const cut = await importing('quaggas.jsonl');
  cut.pipe.write(works(5000, 250, 'Quagga'));
  await hasBegun();
  service.process.kill('SIGKILL');
  await once(service.process, 'exit');
  cut.pipe.end(works(6000, 250, 'Quagga'));
  expect(await cut.ended).toMatchObject({
    code: 1,
    err: expect.stringContaining('Run the same command again'),
  });
  service = await startService(settings);
  expect([await found('quagga'), await found('zebra')]).toEqual([0, 2]);
  expect(await rowsRead()).toBeGreaterThan(0);
});
