import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { spawnProgram } from '../support/spawn_program.ts';

/** A service of its own that listens, and how to end it. */
async function started() {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-stop-'));
  const service = spawnProgram(['src/main.ts'], {
    PORT: '0',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
  });
  let greeting = '';
  for await (const chunk of service.stdout) {
    greeting += chunk;
    if (greeting.includes('search_tools')) break;
  }
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(greeting)?.[1]);
  return {
    port,
    /** Answers the exit code. */
    async stop(): Promise<number> {
      service.kill('SIGTERM');
      const [code] = await once(service, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

test('a connection that never asked for anything does not hold up the stop', async () => {
  const { port, stop } = await started();
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  // One answered request: by then the server has taken the silent connection too.
  await fetch(`http://127.0.0.1:${port}/health`);
  expect(await stop()).toBe(0);
}, 30_000);

test('a request that was sent by half does not hold up the stop', async () => {
  const { port, stop } = await started();
  const half = connect(port, '127.0.0.1').on('error', () => {});
  half.write('POST /api/tools/search_tools HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"que');
  await fetch(`http://127.0.0.1:${port}/health`);
  const before = Date.now();
  expect(await stop()).toBe(0);
  expect(Date.now() - before).toBeLessThan(15_000);
}, 30_000);

test('a data folder that cannot be is told, and the service ends', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'atelier-stop-')), 'file');
  writeFileSync(file, '');
  const service = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: file, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(service.stderr), once(service, 'exit')]);
  expect([code, said]).toEqual([1, expect.stringContaining('Set DATA_DIR to a folder')]);
}, 30_000);
