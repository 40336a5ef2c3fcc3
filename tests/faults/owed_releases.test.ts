import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { bearer } from '../support/owner.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp_proxy.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** PostgreSQL behind a proxy that is cut while paid calls run: what they hold is released once it is back. */

const serverUrl = process.env.TEST_DATABASE_URL;
/** Heartbeat 15 s, and the time a slow machine takes. The promise is two minutes. */
const RESOLVED_MS = 60_000;

describe('postgresql', needs('PostgreSQL'), () => {
  let schema: Schema;
  let proxy: TcpProxy;
  let app: TestApp;

  beforeAll(async () => {
    schema = await newSchema(serverUrl!);
    proxy = await openTcpProxy(schema.url);
    app = await openTestApp({ PAYMENTS: 'simulated', DATABASE_URL: proxy.url });
  });
  afterAll(async () => {
    await proxy?.restore();
    await app?.close();
    await proxy?.close();
    await schema?.drop();
  });

  const isBack = async () => (await app.get('/api/cafe/feed')).status === 200;
  const save = (wallet: string, key: string) =>
    app.post(
      '/api/tools/save_asset',
      { wallet, key, data: 'aGk=' },
      { ...bearer(wallet), 'Idempotency-Key': key },
    );

  test.each(['silence', 'refuse'] as const)(
    'database %s: no idempotency key stays locked and no credits stay held',
    async (how) => {
      const wallets = Array.from({ length: 8 }, (_, nth) =>
        `0x${nth}`.padEnd(42, how === 'refuse' ? 'e' : 'f'),
      );
      for (const wallet of wallets) await toppedUp(app.post, wallet);
      let isOver = false;
      const failed: { wallet: string; key: string }[] = [];
      const load = Promise.all(
        wallets.map(async (wallet) => {
          for (let nth = 0; !isOver; nth += 1) {
            const key = `${how}-${nth}`;
            const { status } = await save(wallet, key);
            if (status === 200) continue;
            failed.push({ wallet, key });
            await sleep(300);
          }
        }),
      );
      await sleep(500);
      await proxy[how]();
      await sleep(6_000);
      isOver = true;
      await load;
      await proxy.restore();
      await expect.poll(isBack).toBe(true);
      expect(failed.length).toBeGreaterThan(0);
      await expect
        .poll(() => openIn(schema.url), { timeout: RESOLVED_MS, interval: 500 })
        .toEqual({ holds: 0, keys: 0, held: 0 });
      const again = [];
      for (const { wallet, key } of failed) again.push(await save(wallet, key));
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await app.get('/api/ledger/invariants')).body.balanced).toBe(true);
    },
  );

  test.each([
    ['the claim of a key', 'insert into answers'],
    ['a hold', 'hold_credits'],
  ])('a lost reply to %s leaves neither an idempotency key nor a hold', async (_name, words) => {
    const wallet = `0x${words.length.toString(16)}`.padEnd(42, 'd');
    const key = `lost-${words.length}`;
    await toppedUp(app.post, wallet);
    proxy.breakOnce(words, 'after');
    const lost = await save(wallet, key);
    expect([lost.status, lost.body.code]).toEqual([503, 'database_unavailable']);
    await expect
      .poll(async () => (await save(wallet, key)).status, { timeout: RESOLVED_MS, interval: 500 })
      .toBe(200);
    await expect
      .poll(() => openIn(schema.url), { timeout: RESOLVED_MS, interval: 500 })
      .toEqual({ holds: 0, keys: 0, held: 0 });
  });
});

/** What is open, asked beside the proxy. */
async function openIn(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ holds: number; keys: number; held: number }>(
    `select (select count(*) from open_holds)::int as holds,
       (select count(*) from answers where answer_sha256 is null)::int as keys,
       (select coalesce(sum(held), 0) from accounts)::int as held`,
  );
  await client.end();
  return rows[0];
}
