import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { greetedUrl } from '../support/greeted_url.ts';
import { EVERY_SPECK, noise } from '../support/job_calls.ts';
import { endOfGroup } from '../support/process_group.ts';
import { spawnProgram } from '../support/spawn_program.ts';
import { OF_TESTS, startService } from '../support/start_service.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

/** A service of its own that listens, and how to end it. */
async function started(settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-stop-'));
  const service = spawnProgram(['src/main.ts'], {
    PORT: '0',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    ...settings,
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

test('an idle connection does not delay shutdown', async () => {
  const { port, stop } = await started();
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  // One answered request: by then the server has taken the silent connection too.
  await fetch(`http://127.0.0.1:${port}/health`);
  expect(await stop()).toBe(0);
});

test('an event stream ends at shutdown and does not delay it', async () => {
  const { port, stop } = await started();
  const base = `http://127.0.0.1:${port}/api/workspaces`;
  const made = await fetch(base, { method: 'POST', body: '{}' });
  const { links } = (await made.json()) as { links: [{ id: string }] };
  const stream = await fetch(`${base}/${links[0].id}/events`);
  const ended = stop();
  // A connection that is closed in the middle of a response rejects here.
  expect(await stream.text()).toContain('retry: ');
  expect(await ended).toBe(0);
});

test('a draining server reports it in the health check and still accepts calls', async () => {
  const { port, stop } = await started({ DRAIN_MS: '8000' });
  const ended = stop();
  const health = await vi.waitFor(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/health`);
    expect(answer.status).toBe(503);
    return answer.json();
  }, WAIT_MS_MAX);
  expect(health).toMatchObject({ status: 'unhealthy', checks: { stays: 'failed', database: 'ok' } });
  const called = await fetch(`http://127.0.0.1:${port}/api/tools/search_tools`, {
    method: 'POST',
    body: '{}',
  });
  expect(called.status).toBe(200);
  expect(await ended).toBe(0);
});

test('a keep-alive client gets one more response and must then reconnect', async () => {
  const { port, stop } = await started();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = async () => {
    const asked = request({ port, path: '/api/tools/search_tools', method: 'POST', agent }).end('{}');
    const [answer] = await once(asked, 'response');
    answer.resume();
    return [answer.statusCode, answer.headers.connection];
  };
  expect(await call()).toEqual([200, 'keep-alive']);
  const ended = stop();
  const answers = [];
  // Until the connection ends: then nothing listens any more.
  for (;;) {
    const answer = await call().catch((error: NodeJS.ErrnoException) => error.code);
    if (answer === 'ECONNREFUSED') break;
    answers.push(answer);
  }
  expect(answers.at(-1)).toEqual([200, 'close']);
  expect(answers.filter((answer) => !Array.isArray(answer))).toEqual([]);
  expect(await ended).toBe(0);
});

test('an incomplete request does not delay shutdown', async () => {
  const { port, stop } = await started();
  const half = connect(port, '127.0.0.1').on('error', () => {});
  half.write('POST /api/tools/search_tools HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"que');
  await fetch(`http://127.0.0.1:${port}/health`);
  const before = Date.now();
  expect(await stop()).toBe(0);
  expect(Date.now() - before).toBeLessThan(15_000);
});

test('an invalid data folder is reported and the service exits', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'atelier-stop-')), 'file');
  writeFileSync(file, '');
  const service = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: file, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(service.stderr), once(service, 'exit')]);
  expect([code, said]).toEqual([1, expect.stringContaining('Set DATA_DIR to a folder')]);
});

test('a stopped npm start leaves no process, and the next start finishes its job', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-stop-'));
  const settings = { PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, DATABASE_URL: '', ...OF_TESTS };
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...settings, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    // A group of its own, which every process it starts belongs to.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await greetedUrl(npm.stdout);
  const body = JSON.stringify({ image: await noise(200), ...EVERY_SPECK });
  const init = { method: 'POST', headers: { Prefer: 'respond-async' }, body };
  const { job_id } = (await (await fetch(`${url}/api/tools/vectorize_image`, init)).json()) as {
    job_id: string;
  };
  const reaches = (at: string, state: string) =>
    vi.waitFor(
      async () => expect(await (await fetch(`${at}/api/jobs/${job_id}`)).json()).toMatchObject({ state }),
      { timeout: WAIT_MS_MAX, interval: 200 },
    );
  await reaches(url, 'running');

  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await endOfGroup(npm.pid!);
  const next = await startService(settings);
  await reaches(next.url, 'succeeded');
  next.process.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}, 300_000);
