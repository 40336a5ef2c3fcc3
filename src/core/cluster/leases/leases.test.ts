import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { createLeases } from './leases.ts';

/** Short, but longer than any statement takes. */
const TIMES = { heldMs: 1_000, signMs: 100 };

forEachDatabase((_name, open) => {
  test('of two servers one has it, until it lets go', async () => {
    const database = await open();
    const [here, there] = [createLeases(database), createLeases(database)];
    const release = await here.hold('tidy');
    expect([await there.hold('tidy'), await here.hold('tidy')]).toEqual([undefined, undefined]);
    await release!();
    expect(await there.hold('tidy')).toBeDefined();
  });

  test('of many who ask at once one gets it', async () => {
    const database = await open();
    const asked = Array.from({ length: 20 }, () => createLeases(database).hold('tidy'));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  });

  test('no process gets it before it is due again', async () => {
    const leases = createLeases(await open());
    const release = await leases.hold('tidy');
    await release!(300);
    expect(await leases.hold('tidy')).toBeUndefined();
    await sleep(400);
    expect(await leases.hold('tidy')).toBeDefined();
  });

  test('one that rests until next year, by a clock that was set back since, can be taken', async () => {
    const leases = createLeases(await open());
    const release = await leases.hold('tidy');
    await release!(365 * 24 * 3_600_000);
    expect(await leases.hold('tidy')).toBeDefined();
  });

  test('a working process keeps it for longer than one period', async () => {
    const database = await open();
    const release = await createLeases(database, TIMES).hold('tidy');
    await sleep(1_500);
    expect(await createLeases(database).hold('tidy')).toBeUndefined();
    await release!();
  });

  test('a process that died or sleeps loses it, and learns it when it wakes', async () => {
    const database = await open();
    const lost = Promise.withResolvers<void>();
    await createLeases(database, { heldMs: 200, signMs: 400 }).hold('tidy', lost.resolve);
    await sleep(300);
    expect(await createLeases(database).hold('tidy')).toBeDefined();
    await lost.promise;
  });

  test.each([0, 60_000])('one that lost it does not release that of another, for %i ms', async (afterMs) => {
    const database = await open();
    const release = await createLeases(database, { heldMs: 200, signMs: 60_000 }).hold('tidy');
    await sleep(300);
    await createLeases(database).hold('tidy');
    await release!(afterMs);
    expect(await createLeases(database).hold('tidy', undefined, { evenIfDone: true })).toBeUndefined();
  });

  test('those that ended long ago are forgotten', async () => {
    const database = await open();
    const leases = createLeases(database);
    for (const name of ['old', 'new']) await leases.hold(name);
    await database.query(`update leases set held_until = held_until - interval '2 days' where name = 'old'`);
    expect(await leases.sweep()).toBe(1);
    expect(await database.query('select name from leases')).toEqual([{ name: 'new' }]);
  });
});

test('one that cannot reach the database loses it after its time', async () => {
  let isAway = false;
  const query = async <Row>() => {
    if (isAway) throw new Error('away');
    return [{ name: 'tidy' }] as Row[];
  };
  const lost = Promise.withResolvers<void>();
  await createLeases({ query }, { heldMs: 100, signMs: 20 }).hold('tidy', lost.resolve);
  isAway = true;
  await lost.promise;
});
