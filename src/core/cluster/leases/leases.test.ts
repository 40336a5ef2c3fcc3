import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { createLeases } from './leases.ts';

/** Short, but longer than any statement takes. */
const TIMES = { heldMs: 1_000, signMs: 100 };

forEachDatabase((_name, open) => {
  test('only one of two servers holds a lease until it releases it', async () => {
    const database = await open();
    const [here, there] = [createLeases(database), createLeases(database)];
    const release = await here.hold('tidy');
    expect([await there.hold('tidy'), await here.hold('tidy')]).toEqual([undefined, undefined]);
    await release!();
    expect(await there.hold('tidy')).toBeDefined();
  });

  test('one of many concurrent requests gets the lease', async () => {
    const database = await open();
    const asked = Array.from({ length: 20 }, () => createLeases(database).hold('tidy'));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  });

  test('a lease released with a delay cannot be taken before it is due', async () => {
    const leases = createLeases(await open());
    const release = await leases.hold('tidy');
    await release!(300);
    expect(await leases.hold('tidy')).toBeUndefined();
    await sleep(400);
    expect(await leases.hold('tidy')).toBeDefined();
  });

  test('a lease due far in the future because a clock was set back can be taken', async () => {
    const leases = createLeases(await open());
    const release = await leases.hold('tidy');
    await release!(365 * 24 * 3_600_000);
    expect(await leases.hold('tidy')).toBeDefined();
  });

  test('a running process renews its lease', async () => {
    const database = await open();
    const release = await createLeases(database, TIMES).hold('tidy');
    await sleep(1_500);
    expect(await createLeases(database).hold('tidy')).toBeUndefined();
    await release!();
  });

  test('a crashed or suspended process loses its lease and is notified when it resumes', async () => {
    const database = await open();
    const lost = Promise.withResolvers<void>();
    await createLeases(database, { heldMs: 200, signMs: 400 }).hold('tidy', lost.resolve);
    await sleep(300);
    expect(await createLeases(database).hold('tidy')).toBeDefined();
    await lost.promise;
  });

  test.each([0, 60_000])(
    'a former holder does not release the lease of the new one, for %i ms',
    async (afterMs) => {
      const database = await open();
      const release = await createLeases(database, { heldMs: 200, signMs: 60_000 }).hold('tidy');
      await sleep(300);
      await createLeases(database).hold('tidy');
      await release!(afterMs);
      expect(await createLeases(database).hold('tidy', undefined, { evenIfDone: true })).toBeUndefined();
    },
  );

  test('leases that ended long ago are deleted', async () => {
    const database = await open();
    const leases = createLeases(database);
    for (const name of ['old', 'new']) await leases.hold(name);
    await database.query(`update leases set held_until = held_until - interval '2 days' where name = 'old'`);
    expect(await leases.sweep()).toBe(1);
    expect(await database.query('select name from leases')).toEqual([{ name: 'new' }]);
  });
});

test('a process that cannot reach the database loses its lease when it expires', async () => {
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
