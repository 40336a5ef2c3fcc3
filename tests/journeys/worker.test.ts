import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { installNoiseModel } from '../support/install_model.ts';
import { noise } from '../support/job_calls.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { OF_TESTS, type ServiceProcess, startService } from '../support/start_service.ts';
import { startWorker } from '../support/start_worker.ts';
import { needs } from '../support/test_requirements.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';

/** A server that works on no jobs, and a process that works on some, on one PostgreSQL. */

const WALLET = `0x${'7'.repeat(40)}`;
const PAID = { Authorization: `Bearer ${WALLET}` };
const HEALTH_PORT = '39471';

describe('a worker', needs('PostgreSQL'), () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-worker-'));
  let schema: Schema;
  let server: ServiceProcess;
  const running: ChildProcess[] = [];
  const settings = () => ({ DATA_DIR: dataDir, DATABASE_URL: schema.url });

  beforeAll(async () => {
    schema = await newSchema(process.env.TEST_DATABASE_URL!);
    await installNoiseModel(dataDir);
    server = await startService({ ...settings(), JOBS_HERE: 'none' });
    running.push(server.process);
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await schema?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const send = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
    // biome-ignore lint/suspicious/noExplicitAny: answers of another process
    return (await (await fetch(`${server.url}${path}`, init)).json()) as any;
  };
  const accepted = async (tool: string, body: object) =>
    (await send(`/api/tools/${tool}`, body, { ...PAID, Prefer: 'respond-async' })).job_id as string;
  const stateOf = async (id: string) => (await send(`/api/jobs/${id}`, undefined, PAID)).state;

  test('with a missing model reports it in one sentence and claims no jobs', async () => {
    const child = spawn(
      process.execPath,
      ['src/interfaces/cli/main.ts', 'worker', '--tools', 'remove_background'],
      {
        cwd: join(import.meta.dirname, '../..'),
        env: { ...process.env, ...OF_TESTS, ...settings(), PUBLIC_URL: server.url },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^This worker cannot run jobs of remove_background: .*models pull/),
    ]);
  });

  test('runs jobs of its tools from a server that runs none, charged once', async () => {
    await send('/api/wallet/register', { wallet: WALLET });
    const image = await noise(24);
    const enlarging = await accepted('upscale_image', {
      image,
      model: 'realesr_animevideov3',
      output: 'url',
    });
    const drawing = await accepted('vectorize_image', { image, output: 'url' });
    const { jobs } = await send('/health');
    expect(jobs).toMatchObject({ upscale_image: { waiting: 1 }, vectorize_image: { waiting: 1 } });
    const worker = await startWorker(['--tools', 'upscale_image'], {
      ...settings(),
      PUBLIC_URL: server.url,
      WORKER_HEALTH_PORT: HEALTH_PORT,
    });
    running.push(worker);
    await vi.waitFor(async () => expect(await stateOf(enlarging)).toBe('succeeded'), {
      timeout: WAIT_MS_MAX,
      interval: 200,
    });
    const { result } = await send(`/api/jobs/${enlarging}`, undefined, PAID);
    const health = await (await fetch(`http://127.0.0.1:${HEALTH_PORT}/health`)).json();
    const { totals, held } = await send('/api/tools/check_balance', { wallet: WALLET });
    expect(result).toMatchObject({ engine: { name: 'onnxruntime' }, degraded: false });
    expect(health).toMatchObject({ status: 'ok', worker: { tools: ['upscale_image'], running: 0 } });
    expect([await stateOf(drawing), totals.spent > 0, held]).toEqual(['queued', true, 0]);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
  });

  test('for all tools runs the remaining jobs', async () => {
    const [left] = Object.keys((await send('/health')).jobs);
    running.push(await startWorker([], { ...settings(), PUBLIC_URL: server.url }));
    await vi.waitFor(async () => expect((await send('/health')).jobs).toBeUndefined(), {
      timeout: WAIT_MS_MAX,
    });
    await vi.waitFor(
      async () =>
        expect(await send('/api/tools/check_balance', { wallet: WALLET })).toMatchObject({ held: 0 }),
      { timeout: WAIT_MS_MAX },
    );
    expect([left, (await send('/api/ledger/invariants')).balanced]).toEqual(['vectorize_image', true]);
  });
});
