import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../support/calls_to.ts';
import { ENDED, EVERY_SPECK, jobIn, noise, postJob } from '../support/job_calls.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import type { TestApp } from '../support/open_test_app.ts';
import { bearer, newOwner } from '../support/owner.ts';
import { openRoundRobin, type RoundRobin } from '../support/round_robin.ts';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** Two servers on one PostgreSQL and one folder, behind a balancer that sends each request to the next of them. */

const serverUrl = process.env.TEST_DATABASE_URL;
const POSTS = 7;
/** A server looks once a minute who has died. */
const NOTICED_MS = 100_000;
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

describe('postgresql', needs('PostgreSQL'), () => {
  let schema: Schema;
  let balancer: RoundRobin;
  let settings: Record<string, string>;
  let servers: ServiceProcess[];
  let app: TestApp;
  let one: TestApp;
  let other: TestApp;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-replicas-'));

  beforeAll(async () => {
    schema = await newSchema(serverUrl!);
    balancer = await openRoundRobin();
    settings = {
      DATA_DIR: folder,
      DATABASE_URL: schema.url,
      PUBLIC_URL: balancer.url,
      WORKERS: '1',
      FREE_TOOLS_PER_HOUR: '1000000',
      PAID_TOOLS_PER_MINUTE: '1000000',
      MCP_PER_MINUTE: '1000000',
      CAFE_POSTS_PER_DAY: String(POSTS),
      REGISTRATIONS_PER_DAY_OF_ALL: '1000000',
      UPLOADS_BYTES_MAX: '10000000',
      KEPT_SHARE_PERCENT: '50',
    };
    servers = [await startService(settings), await startService(settings)];
    balancer.servers.push(...servers.map(({ url }) => url));
    app = callsTo(balancer.url);
    [one, other] = servers.map(({ url }) => callsTo(url)) as [TestApp, TestApp];
  });
  afterAll(async () => {
    for (const server of servers ?? []) server.process.kill('SIGKILL');
    await balancer?.close();
    await schema?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  let count = 0;
  async function newWallet(): Promise<string> {
    count += 1;
    const wallet = `0x${count.toString(16).padStart(40, 'e')}`;
    await app.post('/api/wallet/register', { wallet });
    return wallet;
  }
  const balance = async (wallet: string) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;
  const save = (to: TestApp, wallet: string, key: string, headers = {}) =>
    to.post('/api/tools/save_asset', { wallet, key, data: 'aGk=' }, { ...bearer(wallet), ...headers });
  /** Repeats a call until it is answered; false where it is still said to run after some seconds. */
  async function saveAtLast(wallet: string, key: string): Promise<boolean> {
    let running = 0;
    while (running < 10) {
      const reply = await save(app, wallet, key, { 'Idempotency-Key': key }).catch(() => undefined);
      if (reply?.status === 200) return true;
      if (reply?.body.code === 'idempotency_in_progress') running += 1;
      await sleep(500);
    }
    return false;
  }
  const books = async () => (await app.get('/api/ledger/invariants')).body.balanced;

  test.each(['legacy', { pin: '2026-07-28' }] as const)('MCP needs no sticky sessions: %j', async (mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const wallet = await newWallet();
    const requestInit = { headers: bearer(wallet) };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${balancer.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    for (const key of ['a', 'b', 'c', 'd'])
      await client.callTool({ name: 'save_asset', arguments: { wallet, key, data: 'aGk=' } });
    const kept = await client.callTool({ name: 'list_assets', arguments: { wallet } });
    await client.close();
    expect([tools.length > 20, kept.structuredContent]).toMatchObject([true, { count: 4 }]);
  });

  test('a limit of seven posts allows seven across both servers', async () => {
    const posts = Array.from({ length: 40 }, (_, at) =>
      app.post('/api/cafe/post', { name: 'Ada', message: `number ${at}` }),
    );
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(POSTS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - POSTS);
  });

  test('uploads of one client count against one quota on both servers', async () => {
    const bytes = Buffer.alloc(400_000, 'x');
    const uploads = Array.from({ length: 20 }, () =>
      fetch(`${balancer.url}/api/uploads`, { method: 'POST', body: bytes }),
    );
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  });

  test('an Idempotency-Key sent to both servers concurrently is charged once with identical responses', async () => {
    const wallet = await newWallet();
    const key = { 'Idempotency-Key': 'both' };
    const replies = await Promise.all([one, other, one, other].map((to) => save(to, wallet, 'k', key)));
    expect(replies.map(({ status }) => status).every((status) => [200, 409].includes(status))).toBe(true);
    const [here, there] = [await save(one, wallet, 'k', key), await save(other, wallet, 'k', key)];
    expect([here.text, await balance(wallet)]).toEqual([there.text, 9.05]);
  });

  test('a free repeat requested from both servers concurrently is charged once', async () => {
    const wallet = await newWallet();
    const image = await noise(64);
    const replies = await Promise.all(
      [one, other].map((to) =>
        to.post('/api/tools/enrich_metadata', { image, observations: { subject: 'noise' } }, bearer(wallet)),
      ),
    );
    expect(replies.map(({ body }) => body.cost.credit).sort()).toEqual([0, 2]);
  });

  test('a signed message opens one session across both servers', async () => {
    const { account, wallet } = await newOwner(app);
    const { message } = (await one.post('/api/wallet/challenge', { wallet })).body;
    const signature = await account.signMessage({ message });
    const shown = await Promise.all(
      [other, one, other, one].map((to) => to.post('/api/wallet/session', { message, signature })),
    );
    expect(shown.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a card payment pays for one call across both servers', async () => {
    const tool = 'store_permanent';
    const { id } = (await one.post('/api/create-payment-intent', { tool_name: tool })).body;
    await other.post('/api/dev/confirm-payment-intent', { payment_intent_id: id });
    const paid = await Promise.all(
      [one, other, one, other].map((to) =>
        to.post(`/api/tools/${tool}`, { data: 'aGk=' }, { 'X-Payment-Intent': id }),
      ),
    );
    expect(paid.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a job started on one server is read, awaited and canceled on the other', async () => {
    const wallet = await newWallet();
    const image = await noise(16);
    const { body } = await postJob(one, 'extract_palette', { image }, bearer(wallet));
    expect(await jobIn(other, body.job_id, ENDED, bearer(wallet))).toMatchObject({ state: 'succeeded' });
    const large = { image: await noise(900), ...EVERY_SPECK };
    const slow = await postJob(one, 'vectorize_image', large, bearer(wallet));
    const path = `/api/jobs/${slow.body.job_id}`;
    await fetch(servers[1]!.url + path, { method: 'DELETE', headers: bearer(wallet) });
    expect(await jobIn(one, slow.body.job_id, ENDED, bearer(wallet))).toMatchObject({ state: 'canceled' });
  });

  test('a server with conflicting settings is refused with every difference listed', async () => {
    const child = spawn(process.execPath, ['src/main.ts'], {
      env: {
        ...process.env,
        ...settings,
        PORT: '0',
        PUBLIC_URL: 'https://elsewhere.example',
        SIGNING_SECRET: 's'.repeat(40),
        MCP_PER_MINUTE: '5',
        WORKERS: '2',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    const said = await text(child.stderr);
    expect(
      said
        .match(/^ {2}\w+/gm)
        ?.map((name) => name.trim())
        .sort(),
    ).toEqual([
      'MCP_PER_MINUTE',
      'PUBLIC_URL',
      'REGISTRATIONS_PER_DAY',
      'REGISTRATIONS_PER_HOUR',
      'SIGNING_SECRET',
    ]);
    expect(said).not.toContain('sss');
    expect((await ended)[0]).toBe(1);
  });

  test('kill -9 of one server under load loses no acknowledged call, and the balancer continues', async () => {
    const wallets = await Promise.all(Array.from({ length: 8 }, newWallet));
    const acknowledged: { wallet: string; key: string }[] = [];
    const died: { wallet: string; key: string }[] = [];
    await Promise.all(
      wallets.map(async (wallet) => {
        for (const key of KEYS) {
          if (await saveAtLast(wallet, key)) acknowledged.push({ wallet, key });
          else died.push({ wallet, key });
          if (acknowledged.length === 20) servers[0]!.process.kill('SIGKILL');
        }
      }),
    );
    // What the killed server was working on is given back once another has noticed, and the same call is answered.
    for (const { wallet, key } of died) {
      await expect.poll(() => saveAtLast(wallet, key), { timeout: NOTICED_MS }).toBe(true);
      acknowledged.push({ wallet, key });
    }
    for (const { wallet, key } of acknowledged) {
      const { body } = await other.post('/api/tools/get_asset', { wallet, key }, bearer(wallet));
      expect(body.data).toBe('aGk=');
    }
    for (const wallet of wallets) expect(await balance(wallet)).toBeCloseTo(10 - 0.95 * KEYS.length, 6);
    expect(await books()).toBe(true);
  }, 400_000);
});
