import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { EVERY_SPECK, noise } from '../support/job_calls.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { startWorker } from '../support/start_worker.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp_proxy.ts';
import { needs } from '../support/test_requirements.ts';

/** What happens to workers and their database: jobs are worked on to the end, once, and the books balance. */

const WALLET = `0x${'6'.repeat(40)}`;
const PAID = { Authorization: `Bearer ${WALLET}` };
/** Half a minute of silence, and the work itself on a machine that others keep busy. */
const RECOVERY_MS = 120_000;

describe('workers', { ...needs('PostgreSQL'), timeout: 300_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-workers-'));
  let schema: Schema;
  let proxy: TcpProxy;
  let server: ServiceProcess;
  let operator: pg.Client;
  const workers: ChildProcess[] = [];
  const settings = () => ({
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    JOBS_AT_ONCE: '2',
    CALLER_SHARE_PERCENT: '100',
  });

  beforeAll(async () => {
    schema = await newSchema(process.env.TEST_DATABASE_URL!);
    proxy = await openTcpProxy(schema.url);
    operator = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL! });
    await operator.connect();
    server = await startService({ ...settings(), JOBS_HERE: 'none', LOG_LEVEL: 'fatal' });
    await send('/api/wallet/register', { wallet: WALLET });
  });
  afterEach(async () => {
    await proxy.restore();
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  });
  afterAll(async () => {
    server?.process.kill('SIGKILL');
    await operator?.end();
    await proxy?.close();
    await schema?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const send = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
    const response = await fetch(`${server.url}${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: answers of another process
    return { status: response.status, body: (await response.json()) as any };
  };
  const newWorker = async () => {
    const worker = await startWorker([], { ...settings(), PUBLIC_URL: server.url });
    workers.push(worker);
    return worker;
  };
  /** A job that takes seconds, and one that is paid. */
  const slow = async () =>
    accepted('vectorize_image', { image: await noise(260), ...EVERY_SPECK, wallet: undefined });
  let saved = 0;
  const paid = () => {
    saved += 1;
    return accepted('save_asset', {
      wallet: WALLET,
      key: `note-${saved}`,
      data: 'aGk=',
      content_type: 'text/plain',
    });
  };
  const accepted = async (tool: string, body: object): Promise<string> => {
    const reply = await send(`/api/tools/${tool}`, body, { ...PAID, Prefer: 'respond-async' });
    expect(reply.status).toBe(202);
    return reply.body.job_id;
  };
  const job = async (id: string) => (await send(`/api/jobs/${id}`, undefined, PAID)).body;
  const inState = (id: string, state: string) =>
    vi.waitFor(async () => expect(await job(id)).toMatchObject({ state }), {
      timeout: RECOVERY_MS,
      interval: 250,
    });
  /** Nothing is held, every paid job was paid once, and each of them has left its asset. */
  const booksBalance = async () => {
    const wallet = (await send('/api/tools/check_balance', { wallet: WALLET })).body;
    const assets = (await send('/api/tools/list_assets', { wallet: WALLET }, PAID)).body;
    const books = (await send('/api/ledger/invariants')).body;
    expect({ held: wallet.held, spent: wallet.totals.spent, count: assets.count }).toEqual({
      held: 0,
      spent: saved,
      count: saved,
    });
    expect(books).toMatchObject({ balanced: true, problems: [] });
  };
  const terminateAll = () =>
    operator.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      schema.name,
    ]);

  test('jobs survive repeated termination of every database connection', async () => {
    await newWorker();
    const ids = [await slow(), ...(await Promise.all([paid(), paid()]))];
    for (let round = 0; round < 6; round += 1) {
      await terminateAll();
      await sleep(400);
    }
    for (const id of ids) await inState(id, 'succeeded');
    await booksBalance();
  });

  test('jobs survive a database restart that replaces every connection', async () => {
    await newWorker();
    const ids = [await slow(), await paid()];
    await inState(ids[0]!, 'running');
    await Promise.all([proxy.refuse(), terminateAll()]);
    await sleep(5_000);
    await proxy.restore();
    for (const id of ids) await inState(id, 'succeeded');
    await booksBalance();
  });

  test('another worker finishes the jobs of a killed worker, and each is charged once', async () => {
    const killed = await newWorker();
    const ids = [await slow(), await slow(), await paid()];
    await inState(ids[0]!, 'running');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await newWorker();
    for (const id of ids) await inState(id, 'succeeded');
    await booksBalance();
  });

  test('results of a worker suspended beyond its lease are discarded', async () => {
    const asleep = await newWorker();
    const id = await slow();
    await inState(id, 'running');
    asleep.kill('SIGSTOP');
    const late = await paid();
    const awake = await newWorker();
    for (const each of [id, late]) await inState(each, 'succeeded');
    const [before, ended] = [await job(id), (await job(id)).result.result_url];
    asleep.kill('SIGCONT');
    await sleep(6_000);
    expect(await job(id)).toEqual(before);
    expect((await fetch(ended)).status).toBe(200);
    await booksBalance();
    for (const worker of [asleep, awake]) {
      worker.kill('SIGTERM');
      expect(await once(worker, 'exit')).toEqual([0, null]);
    }
  });

  test('a stopping worker requeues its running job, and the next worker finishes it', async () => {
    const stopped = await newWorker();
    const id = await slow();
    await inState(id, 'running');
    stopped.kill('SIGTERM');
    expect(await once(stopped, 'exit')).toEqual([0, null]);
    expect(await job(id)).toMatchObject({ state: 'queued' });
    await newWorker();
    await inState(id, 'succeeded');
    await booksBalance();
  });
});
