import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { type Amount, createVisionBudget, type DayLimits, type Spender } from './vision_budget.ts';

const LATE = '2026-11-22T23:58:00Z';
const MINUTE_MS = 60_000;
const ANN: Spender = { address: '192.0.2.1', callerKey: '0xa' };
const dollars = (usd: number): Amount => ({ tokens: 1000, usd });

forEachDatabase((_name, open) => {
  test('a reservation counts at once and is replaced by the actual usage on settlement', async () => {
    const { reserve, refusal } = await given({ usd: 10 });
    const held = await reserve(dollars(8));
    expect(await refusal(dollars(3))).toBeDefined();
    await held.settle(dollars(2));
    expect(await refusal(dollars(8))).toBeUndefined();
    await held.settle(dollars(0));
    expect(await refusal(dollars(9))).toBeDefined();
  });

  test('concurrent requests are admitted only up to the budget', async () => {
    const { reserve } = await given({ usd: 1 });
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => reserve(dollars(0.1))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test('an exhausted budget reports when it resets, and is available again the next day', async () => {
    const { reserve, clock } = await given({ tokens: 1000 });
    await (await reserve({ tokens: 1000, usd: 0 })).settle({ tokens: 1000, usd: 0 });
    const refused = await reserve({ tokens: 1, usd: 0 }).catch((error) => error);
    expect(refused).toMatchObject({
      code: 'vision_budget_spent',
      status: 503,
      message: expect.stringContaining('2026-11-23T00:00:00Z'),
      details: { retryAfterSeconds: 120, members: { available_at: '2026-11-23T00:00:00Z' } },
    });
    expect(refused.message).toMatch(/You were not charged.*engine "built_in" is available/);
    clock.now += 2 * MINUTE_MS;
    await reserve({ tokens: 1000, usd: 0 });
  });

  test('if running requests hold the remaining budget, retry-after is short', async () => {
    const { reserve } = await given({ usd: 1 });
    await reserve(dollars(1));
    await expect(reserve(dollars(1))).rejects.toMatchObject({ details: { retryAfterSeconds: 30 } });
  });

  test('budget reserved by a crashed process is freed after its timeout', async () => {
    const { reserve, clock } = await given({ usd: 1 });
    await reserve(dollars(1), ANN, MINUTE_MS);
    clock.now += MINUTE_MS + 1;
    const late = await reserve(dollars(1));
    await late.settle(dollars(1));
  });

  test('servers on the same database share one budget, which survives a restart', async () => {
    const { reserve, another } = await given({ usd: 1 });
    await (await reserve(dollars(1))).settle(dollars(1));
    await expect(another().reserve(dollars(0.1), ANN, MINUTE_MS)).rejects.toMatchObject({ status: 503 });
  });

  test.each<[string, Spender]>([
    ['wallet, whatever its addresses', { ...ANN, address: '192.0.2.9' }],
    ['address, whatever its wallets', { ...ANN, callerKey: '0xb' }],
  ])('one %s, is limited to its share', async (_, again) => {
    const { reserve, refusal } = await given({ usd: 10, sharePercent: 40 });
    await (await reserve(dollars(4))).settle(dollars(4));
    expect((await refusal(dollars(1), again))?.message).toMatch(/^You have used up your share/);
    expect(await refusal(dollars(4), { address: '192.0.2.2', callerKey: '0xc' })).toBeUndefined();
    expect(await refusal(dollars(4), {})).toBeUndefined();
  });

  test('the first request of a client may exceed its share', async () => {
    const { refusal } = await given({ usd: 10, sharePercent: 1 });
    expect(await refusal(dollars(5))).toBeUndefined();
    expect(await refusal(dollars(11))).toBeDefined();
  });

  test('without a limit every request fits', async () => {
    const { reserve, refusal } = await given({});
    await reserve({ tokens: 1e9, usd: 1e5 });
    expect(await refusal({ tokens: 1e9, usd: 1e5 })).toBeUndefined();
  });

  test('usage older than a month is deleted', async () => {
    const { reserve, sweep, clock } = await given({ usd: 1 });
    await reserve(dollars(1));
    expect(await sweep()).toBe(0);
    clock.now += 36 * 24 * 60 * MINUTE_MS;
    expect(await sweep()).toBe(1);
  });

  async function given(limits: Partial<DayLimits>) {
    const database = await open();
    const clock = { now: Date.parse(LATE) };
    const another = () =>
      createVisionBudget(database, { sharePercent: 100, ...limits }, () => new Date(clock.now));
    const budget = another();
    return {
      clock,
      another,
      reserve: (most: Amount, by = ANN, lifetimeMs = 10 * MINUTE_MS) => budget.reserve(most, by, lifetimeMs),
      refusal: (most: Amount, by = ANN) => budget.refusal(most, by),
      sweep: () => budget.sweep(new Date(clock.now)),
    };
  }
});
