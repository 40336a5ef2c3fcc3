import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { Database } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import {
  type Ask,
  createMemoryLimiter,
  createSharedLimiter,
  forgetWindows,
  type Grant,
  type SharedLimiter,
  takeCalls,
} from './rate_limits.ts';

const POLICY = { name: 'test', calls: 100, perSeconds: 60 };
const FEW = { name: 'few', calls: 3, perSeconds: 60 };

const open: SharedLimiter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((limiter) => limiter.close()));
});

/** One server; `asked` counts its statements. */
function serverOn(database: Pick<Database, 'query'>) {
  const server = { asked: 0 };
  const limiter = createSharedLimiter({
    take: (asks) => {
      server.asked += 1;
      return takeCalls(database, asks);
    },
    alone: createMemoryLimiter(),
  });
  open.push(limiter);
  return Object.assign(server, { limiter });
}

/** Number of admitted calls, sent to each server in turn. */
async function letThrough(servers: readonly { limiter: SharedLimiter }[], calls: number, policy = POLICY) {
  let through = 0;
  for (let call = 0; call < calls; call += 1) {
    const { limiter } = servers[call % servers.length]!;
    through += await limiter.take(policy, 'a').then(
      () => 1,
      () => 0,
    );
  }
  return through;
}

forEachDatabase((_, openDatabase) => {
  test('two servers together enforce one limit', async () => {
    const database = await openDatabase();
    expect(await letThrough([serverOn(database), serverOn(database)], 300)).toBe(100);
  });

  test('concurrent calls on two servers never exceed the limit', async () => {
    const database = await openDatabase();
    const servers = [serverOn(database), serverOn(database)];
    const calls = Array.from({ length: 400 }, (_, call) => servers[call % 2]!.limiter.take(POLICY, 'a'));
    const through = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
    expect(through).toBe(100);
  });

  test('frequent calls of one caller need far less than one statement each', async () => {
    const server = serverOn(await openDatabase());
    const policy = { ...POLICY, calls: 10_000 };
    expect(await letThrough([server], 1000, policy)).toBe(1000);
    expect(server.asked).toBeLessThan(50);
  });

  test('concurrent callers are counted in one statement', async () => {
    const server = serverOn(await openDatabase());
    await Promise.all(Array.from({ length: 50 }, (_, caller) => server.limiter.take(POLICY, `${caller}`)));
    expect(server.asked).toBe(1);
  });

  test('the result states the remaining calls, and a refusal the retry time', async () => {
    const { limiter } = serverOn(await openDatabase());
    const states = await Promise.all([1, 2, 3].map(() => limiter.take(FEW, 'a')));
    expect(states.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    const error = (await limiter.take(FEW, 'a').catch((refused) => refused)) as AtelierError;
    expect(error.details.retryAfterSeconds).toBeGreaterThan(60);
    expect(error.details.retryAfterSeconds).toBeLessThan(83);
    const again = (await limiter.take(FEW, 'a').catch((refused) => refused)) as AtelierError;
    expect([error.details.isRepeat, again.details.isRepeat]).toEqual([false, true]);
  });

  test('a caller refused by one server is refused by another, and a lookup counts nothing', async () => {
    const database = await openDatabase();
    const [here, there] = [serverOn(database), serverOn(database)];
    for (const _ of [1, 2, 3]) await here.limiter.take(FEW, 'a');
    await here.limiter.look(FEW, 'b');
    await expect(here.limiter.look(FEW, 'a')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(there.limiter.take(FEW, 'a')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('permits a server prefetched but left unused for a twelfth of the window are available elsewhere', async () => {
    const database = await openDatabase();
    const [here, there] = [serverOn(database), serverOn(database)];
    const policy = { ...POLICY, perSeconds: 12 };
    await letThrough([here], 30, policy);
    await sleep(3_800);
    expect(await letThrough([there], 100, policy)).toBe(70);
  });

  test('a caller with one call per second causes one statement for several calls', async () => {
    const database = await openDatabase();
    let [asked, ms] = [0, 0];
    const limiter = createSharedLimiter({
      take: (asks) => {
        asked += 1;
        return takeCalls(database, asks);
      },
      alone: createMemoryLimiter(),
      now: () => ms,
    });
    open.push(limiter);
    for (; ms < 30_000; ms += 1_000) await limiter.take(POLICY, 'a');
    expect(asked).toBeLessThan(8);
  });

  test('a refunded call is available to another server, even when this server closes', async () => {
    const database = await openDatabase();
    const [here, there] = [serverOn(database), serverOn(database)];
    for (const _ of [1, 2, 3]) await here.limiter.take(FEW, 'a');
    await here.limiter.giveBack(FEW, 'a');
    await here.limiter.close();
    expect(await letThrough([there], 3, FEW)).toBe(1);
  });

  test.each([
    ['half of the previous window still counts', 1.5, 50],
    ['after two windows all calls are forgotten', 2, 100],
    ['a clock set back neither resets nor extends the limit', -24, 0],
  ])('%s', async (_what, hours, through) => {
    const database = await openDatabase();
    const policy = { ...POLICY, perSeconds: 3600 };
    await letThrough([serverOn(database)], 100, policy);
    await database.query('update call_windows set started = started - $1', [hours * 3600]);
    expect(await letThrough([serverOn(database)], 120, policy)).toBe(through);
  });

  test('expired windows are deleted, and above a limit the oldest ones', async () => {
    const database = await openDatabase();
    const { limiter } = serverOn(database);
    for (const caller of ['a', 'b', 'c', 'd']) await limiter.take(POLICY, caller);
    // Seconds apart: the clock of the embedded database may return equal times.
    await database.query(`update call_windows set started = started + ascii(right(name, 1))`);
    await database.query(`update call_windows set started = started - 300 where name = 'test b'`);
    expect(await forgetWindows(database, 10)).toBe(1);
    expect(await forgetWindows(database, 1)).toBe(2);
    expect(await database.query('select name from call_windows')).toEqual([{ name: 'test d' }]);
  });
});

test('while the database is unavailable, each server counts locally', async () => {
  const away = () => Promise.reject<Grant[]>(new AtelierError('database_unavailable'));
  let take: (asks: readonly Ask[]) => Promise<Grant[]> = away;
  const limiter = createSharedLimiter({ take: (asks) => take(asks), alone: createMemoryLimiter() });
  open.push(limiter);
  expect(await letThrough([{ limiter }], 10, FEW)).toBe(3);
  take = async (asks) =>
    asks.map(({ name, needed }) => ({ name, granted: needed, ageMs: 0, current: 1, previous: 0 }));
  expect(await letThrough([{ limiter }], 1, FEW)).toBe(1);
});

test('an internal error does not bypass the limit', async () => {
  const take = () => Promise.reject<Grant[]>(new Error('no such table'));
  const limiter = createSharedLimiter({ take, alone: createMemoryLimiter() });
  open.push(limiter);
  await expect(limiter.take(POLICY, 'a')).rejects.toThrow('no such table');
});
