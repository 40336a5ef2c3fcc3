import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENDED, jobIn, postJob } from '../support/job_calls.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { bearer } from '../support/owner.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp_proxy.ts';
import { needs } from '../support/test_requirements.ts';

/** PostgreSQL behind a proxy of ours, which is cut: callers are told soon, nothing is charged for nothing, and it ends by itself. */

const serverUrl = process.env.TEST_DATABASE_URL;

describe('postgresql', needs('PostgreSQL'), () => {
  let schema: Schema;
  let proxy: TcpProxy;
  let app: TestApp;
  let count = 0;

  beforeAll(async () => {
    schema = await newSchema(serverUrl!);
    proxy = await openTcpProxy(schema.url);
    app = await openTestApp({ DATABASE_URL: proxy.url });
  });
  afterEach(async () => {
    await proxy.restore();
    await expect.poll(isBack).toBe(true);
  });
  afterAll(async () => {
    await app?.close();
    await proxy?.close();
    await schema?.drop();
  });

  const feed = () => app.get('/api/cafe/feed');
  /** Asked of the database itself: what health has found out holds for two seconds. */
  const isBack = async () => (await feed()).status === 200;

  async function newWallet(): Promise<string> {
    count += 1;
    const wallet = `0x${count.toString(16).padStart(40, 'd')}`;
    await app.post('/api/wallet/register', { wallet });
    return wallet;
  }
  const save = (wallet: string, headers = {}) =>
    app.post('/api/tools/save_asset', { wallet, key: 'k', data: 'aGk=' }, { ...bearer(wallet), ...headers });
  const balance = async (wallet: string) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;

  test.each(['silence', 'refuse'] as const)(
    'database %s: clients get 503 with Retry-After, and health reports the failed check',
    async (how) => {
      expect((await feed()).status).toBe(200);
      await proxy[how]();
      const replies = await Promise.all([feed(), feed(), save(`0x${'d'.repeat(40)}`)]);
      for (const { status, body, headers } of replies) {
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5']);
      }
      const health = async () => {
        const { status, body } = await app.get('/health');
        return [status, body.checks.database, body.checks.storage];
      };
      await expect.poll(health).toEqual([503, 'failed', 'ok']);
      await proxy.restore();
      await expect.poll(isBack).toBe(true);
    },
  );

  test.each(['before', 'after'] as const)(
    'a charge is made once when the connection breaks %s settlement reaches the database',
    async (when) => {
      const wallet = await newWallet();
      proxy.breakOnce('settle_hold', when);
      const { status } = await save(wallet);
      expect([status, await balance(wallet)]).toEqual([200, 9.05]);
    },
  );

  test('a call whose hold request is lost gets 503 and is not charged', async () => {
    const wallet = await newWallet();
    proxy.breakOnce('hold_credits', 'before');
    const { status, body } = await save(wallet);
    expect([status, body.code, await balance(wallet)]).toEqual([503, 'database_unavailable', 10]);
  });

  test('an acknowledged call survives an outage and is replayed without a second charge', async () => {
    const wallet = await newWallet();
    const key = { 'Idempotency-Key': 'away' };
    const first = await save(wallet, key);
    await proxy.refuse();
    expect((await save(wallet, key)).status).toBe(503);
    await proxy.restore();
    await expect.poll(isBack).toBe(true);
    const again = await save(wallet, key);
    expect([again.text, await balance(wallet)]).toEqual([first.text, 9.05]);
    expect((await app.get('/api/ledger/invariants')).body.balanced).toBe(true);
  });

  test('jobs run again after an outage', async () => {
    const job = async () => {
      const { body } = await postJob(app, 'search_tools', { query: 'resize' });
      return (await jobIn(app, body.job_id, ENDED)).state;
    };
    expect(await job()).toBe('succeeded');
    await proxy.refuse();
    expect((await postJob(app, 'search_tools', {})).status).toBe(503);
    await proxy.restore();
    await expect.poll(isBack).toBe(true);
    expect(await job()).toBe('succeeded');
  });
});
