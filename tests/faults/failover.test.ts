import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresql } from '../../src/core/database/postgresql.ts';
import { callsTo } from '../support/calls_to.ts';
import { bearer } from '../support/owner.ts';
import { openPostgresqlPair, type PostgresqlPair } from '../support/postgresql_pair.ts';
import { startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** Within which every hold and key is open to callers again after any fault. */
const RESOLVED_MS_MAX = 120_000;

/** A primary dies while callers pay, and its standby is promoted. */

const CALLERS = 6;

async function withPair(
  isSynchronous: boolean,
  work: (pair: PostgresqlPair) => Promise<void>,
): Promise<void> {
  const pair = await openPostgresqlPair({ isSynchronous });
  try {
    await work(pair);
  } finally {
    pair.close();
  }
}

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}

describe('two servers', { ...needs('PostgreSQL programs'), timeout: 240_000 }, () => {
  test.each([
    ['one that waits for its standby', true],
    ['one that does not', false],
  ])('calls continue after the failure of %s', async (_name, isSynchronous) => {
    await withPair(isSynchronous, async (pair) => {
      const folder = mkdtempSync(join(tmpdir(), 'atelier-failover-'));
      const settings = {
        DATA_DIR: folder,
        DATABASE_URL: pair.url,
        PUBLIC_URL: 'http://atelier.test',
        PAYMENTS: 'simulated',
        WORKERS: '1',
        PAID_TOOLS_PER_MINUTE: '1000000',
        LOG_LEVEL: 'silent',
      };
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const service = await startService(settings);
      onTestFinished(() => void service.process.kill('SIGKILL'));
      const app = callsTo(service.url);
      const wallets = Array.from({ length: CALLERS }, (_, nth) => `0x${nth}`.padEnd(42, 'b'));
      for (const wallet of wallets) await toppedUp(app.post, wallet);
      let isOver = false;
      const acknowledged: string[] = [];
      const refused = new Map<string, number>();
      const failed: { wallet: string; key: string }[] = [];
      let [lastBefore, firstAfter, promotedAt] = [0, 0, 0];
      const save = (wallet: string, key: string) =>
        app.post(
          '/api/tools/save_asset',
          { wallet, key, data: 'aGk=' },
          { ...bearer(wallet), 'Idempotency-Key': key },
        );
      const load = Promise.all(
        wallets.map(async (wallet) => {
          for (let nth = 0; !isOver; nth += 1) {
            const key = `k${nth}`;
            const { status, body } = await save(wallet, key);
            if (status === 200) {
              acknowledged.push(`${wallet} ${key}`);
              if (promotedAt) firstAfter ||= performance.now();
              else lastBefore = performance.now();
              continue;
            }
            failed.push({ wallet, key });
            refused.set(`${status} ${body.code}`, (refused.get(`${status} ${body.code}`) ?? 0) + 1);
            await sleep(100);
          }
        }),
      );
      await sleep(2000);
      pair.killPrimary();
      await sleep(3000);
      pair.promoteStandby();
      promotedAt = performance.now();
      await expect.poll(() => firstAfter).toBeGreaterThan(0);
      await sleep(2000);
      isOver = true;
      await load;
      const resolved = async () => {
        const [row] = await ask(
          pair.urls[1],
          `select (select count(*) from open_holds)::int as holds,
             (select count(*) from answers where answer_sha256 is null)::int as keys`,
        );
        return row;
      };
      await expect
        .poll(resolved, { timeout: RESOLVED_MS_MAX, interval: 1000 })
        .toEqual({ holds: 0, keys: 0 });
      const rows = await ask<{ call: string; times: number }>(
        pair.urls[1],
        `select principal || ' ' || key as call, count(*)::int as times from answers
         where answer_sha256 is not null group by 1`,
      );
      const kept = new Map(rows.map(({ call, times }) => [call, times]));
      const lost = acknowledged.filter((call) => !kept.has(call));
      const again = [];
      for (const { wallet, key } of failed) again.push(await save(wallet, key));
      console.log(
        `failover, ${isSynchronous ? 'synchronous' : 'asynchronous'}: ${acknowledged.length} acknowledged, ${lost.length} lost, ` +
          `refused ${JSON.stringify(Object.fromEntries(refused))}, first call ${Math.round(firstAfter - promotedAt)} ms after the promotion, ` +
          `outage ${Math.round(firstAfter - lastBefore)} ms`,
      );
      // Clients may retry these.
      expect([...refused.keys()].filter((what) => !/^503 (database_unavailable|busy)$/.test(what))).toEqual(
        [],
      );
      if (isSynchronous) expect(lost).toEqual([]);
      // On a busy machine no call may have been under way when the primary died.
      expect(again.filter(({ status }) => status !== 200)).toEqual([]);
      expect((await app.get('/api/ledger/invariants')).body.balanced).toBe(true);
      service.process.kill('SIGTERM');
      await once(service.process, 'exit');
    });
  });

  test('connections move from a server demoted to standby to the new primary', async () => {
    await withPair(false, async (pair) => {
      const [primary, standby] = pair.urls;
      await expect(openPostgresql(standby)).rejects.toThrow(
        'DATABASE_URL cannot be used: the server is a read-only standby',
      );
      const reversed = pair.url.replace(/@([^,]*),([^/]*)/, '@$2,$1');
      const database = await openPostgresql(reversed);
      await database.query('create table marks (at text)');
      // As after a switchover behind an address that stays: the same connections lead to a server that only reads.
      await ask(primary, `alter system set default_transaction_read_only = on`);
      await ask(primary, 'select pg_reload_conf()');
      const write = (at: string) => database.query('insert into marks values ($1)', [at]);
      await expect.poll(() => write('a').catch(({ code }) => code)).toBe('database_unavailable');
      await ask(primary, 'alter system reset default_transaction_read_only');
      await ask(primary, 'select pg_reload_conf()');
      await expect.poll(() => write('b').catch(({ code }) => code)).toEqual([]);
      await database.close();
    });
  });
});
