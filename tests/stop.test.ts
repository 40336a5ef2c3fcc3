import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a connection that never asked for anything does not hold up the stop', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-stop-'));
  const service = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let greeting = '';
  for await (const chunk of service.stdout) {
    greeting += chunk;
    if (greeting.includes('search_tools')) break;
  }
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(greeting)?.[1]);
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  // One answered request: by then the server has taken the silent connection too.
  await fetch(`http://127.0.0.1:${port}/health`);
  service.kill('SIGTERM');
  const [code] = await once(service, 'exit');
  expect(code).toBe(0);
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);
