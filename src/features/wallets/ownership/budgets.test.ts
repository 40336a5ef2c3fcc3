import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { DAY_MS, givenOwner, MINUTE_MS } from '../../../../tests/support/given_owner.ts';
import type { Database } from '../../../core/database/types.ts';

/** Budgets of keys, with failed, crashed and concurrent calls. */

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  const given = () => givenOwner(database);

  test('a call within the budget is held and counted', async () => {
    const { ownership, wallets, wallet, key, call, keyNow } = await given();
    const { key: made } = await key({ maxTotal: 5000, maxDaily: 3000 });
    const { budget } = await ownership.hold(made.id, call(2000));
    expect(budget).toEqual({ maxTotal: 5000, spent: 2000, maxDaily: 3000, spentToday: 2000 });
    expect((await wallets.find(wallet))?.held).toBe(2000);
    expect(await keyNow(made.id)).toMatchObject({ spent: 2000, spentToday: 2000 });
  });

  test('one credit over either cap is rejected without any change', async () => {
    const { ownership, wallets, wallet, key, call } = await given();
    const [total, daily] = [await key({ maxTotal: 2000 }), await key({ maxDaily: 2000 })];
    for (const { key: made } of [total, daily]) {
      const { hold } = await ownership.hold(made.id, call(2000));
      await expect(ownership.hold(made.id, call(1000))).rejects.toMatchObject({
        code: 'budget_refused',
        status: 403,
      });
      await wallets.release(hold);
    }
    expect((await wallets.find(wallet))?.held).toBe(0);
  });

  test('a failed call returns its amount to the budget, and a settled call does not', async () => {
    const { ownership, wallets, key, call, keyNow } = await given();
    const { key: made } = await key({ maxTotal: 2000 });
    await wallets.release((await ownership.hold(made.id, call(1000))).hold);
    expect(await keyNow(made.id)).toMatchObject({ spent: 0, spentToday: 0 });
    await wallets.settle((await ownership.hold(made.id, call(1000))).hold);
    expect(await keyNow(made.id)).toMatchObject({ spent: 1000, spentToday: 1000 });
  });

  test('a partially charged call returns the remainder to the budget', async () => {
    const { ownership, wallets, key, call, keyNow } = await given();
    const { key: made } = await key({ maxTotal: 3000, maxDaily: 3000 });
    const { hold } = await ownership.hold(made.id, call(3000));
    await wallets.settle({ ...hold, taken: 1000 });
    expect(await keyNow(made.id)).toMatchObject({ spent: 1000, spentToday: 1000 });
  });

  test('the hold of a crashed process returns its amount to the budget when it expires', async () => {
    const { ownership, wallets, key, call, keyNow, time } = await given();
    const { key: made } = await key({ maxTotal: 1000 });
    await ownership.hold(made.id, call(1000));
    time.now += 16 * MINUTE_MS;
    await wallets.expireHolds(new Date(time.now));
    expect((await keyNow(made.id)).spent).toBe(0);
  });

  test('an insufficient balance returns the usual error and leaves the budget unchanged', async () => {
    const { ownership, key, call, keyNow } = await given();
    const { key: made } = await key({ maxTotal: 50_000 });
    await expect(ownership.hold(made.id, call(11_000))).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
    expect((await keyNow(made.id)).spent).toBe(0);
  });

  test('the daily budget resets at midnight UTC, and the total does not', async () => {
    const { ownership, wallets, key, call, time } = await given();
    const { key: made } = await key({ maxDaily: 2000, maxTotal: 3000 });
    await wallets.settle((await ownership.hold(made.id, call(2000))).hold);
    time.now = Date.parse('2026-11-22T00:00:00Z');
    expect((await ownership.keys(call().wallet))[0]).toMatchObject({ spentToday: 0, spent: 2000 });
    await wallets.settle((await ownership.hold(made.id, call(1000))).hold);
    await expect(ownership.hold(made.id, call(1000))).rejects.toMatchObject({ code: 'budget_refused' });
  });

  test('a failure after midnight does not credit the new day', async () => {
    const { ownership, wallets, key, call, keyNow, time } = await given();
    const { key: made } = await key({ maxDaily: 2000 });
    time.now = Date.parse('2026-11-21T23:59:00Z');
    const { hold } = await ownership.hold(made.id, call(2000));
    time.now += 2 * MINUTE_MS;
    const second = await ownership.hold(made.id, call(1000));
    await wallets.release(hold);
    expect(await keyNow(made.id)).toMatchObject({ spent: 1000, spentToday: 1000 });
    await wallets.release(second.hold);
    expect(await keyNow(made.id)).toMatchObject({ spent: 0, spentToday: 0 });
  });

  test('a clock that runs behind does not reopen a past day', async () => {
    const { ownership, key, call, time } = await given();
    const { key: made } = await key({ maxDaily: 1000 });
    await ownership.hold(made.id, call(1000));
    time.now -= DAY_MS;
    await expect(ownership.hold(made.id, call(1000))).rejects.toMatchObject({ code: 'budget_refused' });
  });

  test('holding the same call twice debits the budget once', async () => {
    const { ownership, key, call, keyNow } = await given();
    const { key: made } = await key({ maxTotal: 1000 });
    const once = call(1000);
    await Promise.all([ownership.hold(made.id, once), ownership.hold(made.id, once)]);
    expect((await keyNow(made.id)).spent).toBe(1000);
  });

  test('forty concurrent calls at the cap never exceed the budget', async () => {
    const { ownership, wallets, key, call, keyNow } = await given();
    const { key: made } = await key({ maxTotal: 5000, maxDaily: 4000 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, at) => {
        const { hold } = await ownership.hold(made.id, call(1000));
        await (at % 2 ? wallets.release(hold) : wallets.settle(hold));
        return at % 2 ? 'released' : 'settled';
      }),
    );
    const settled = outcomes.filter((one) => one.status === 'fulfilled' && one.value === 'settled').length;
    const refused = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason.code);
    expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? ['budget_refused'] : []));
    expect(settled).toBeLessThanOrEqual(4);
    expect(await keyNow(made.id)).toMatchObject({ spent: settled * 1000, spentToday: settled * 1000 });
    expect(await wallets.audit()).toMatchObject({ balanced: true });
  });

  test('a database constraint rejects an overdrawn budget', async () => {
    const { key } = await given();
    const { key: made } = await key({ maxTotal: 1000 });
    const overdraw = database.query('update wallet_keys set spent = 1001 where id = $1', [made.id]);
    await expect(overdraw).rejects.toMatchObject({ code: '23514' });
  });

  test('events are recorded, with repeated rejections aggregated into one entry', async () => {
    const { ownership, wallet, proven, key, call } = await given();
    await ownership.openSession(await proven());
    const { key: made } = await key({ maxTotal: 1000 });
    for (let tries = 0; tries < 3; tries += 1) await ownership.hold(made.id, call(2000)).catch(() => {});
    expect((await ownership.events(wallet)).map(({ event, about, times }) => [event, about, times])).toEqual([
      ['refused_budget', made.id, 3],
      ['key_created', made.id, 1],
      ['session_opened', '', 1],
    ]);
  });
});
