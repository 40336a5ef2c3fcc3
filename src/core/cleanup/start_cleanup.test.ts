import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createLeases } from '../cluster/leases/leases.ts';
import { startCleanup } from './start_cleanup.ts';

const logger = { info: () => {}, error: () => {} };

test('a failing cleanup task does not stop the others', async () => {
  const ran: string[] = [];
  const own = {
    broken: async () => Promise.reject(new Error('disk')),
    tidy: async () => ran.push('tidy'),
  };
  const shared = { sort: async () => ran.push('sort') };
  const sweeping = startCleanup({ own, shared }, { logger, intervalMs: 5 });
  while (ran.length < 4) await sleep(5);
  await sweeping.stop();
  expect(ran.slice(0, 4)).toEqual(['tidy', 'sort', 'tidy', 'sort']);
});

test('stop waits for the running cleanup task', async () => {
  const steps: string[] = [];
  const slow = async () => {
    steps.push('begun');
    await sleep(30);
    return steps.push('done');
  };
  const sweeping = startCleanup({ own: { slow, next: slow }, shared: {} }, { logger, intervalMs: 5 });
  while (steps.length === 0) await sleep(1);
  await sweeping.stop();
  expect(steps).toEqual(['begun', 'done']);
});

forEachDatabase((_name, open) => {
  test('one of several servers runs a shared task per round, and each runs its own tasks', async () => {
    const database = await open();
    const done = { shared: 0, own: 0 };
    const chores = {
      shared: { tidy: async () => ++done.shared },
      own: { count: async () => ++done.own },
    };
    const servers = Array.from({ length: 3 }, () =>
      startCleanup(chores, { leases: createLeases(database), logger, intervalMs: 1_000 }),
    );
    await sleep(3_400);
    await Promise.all(servers.map((server) => server.stop()));
    expect(done.own).toBeGreaterThanOrEqual(8);
    expect([2, 3, 4]).toContain(done.shared);
  });

  test('a task held by a crashed server is taken over', async () => {
    const database = await open();
    const dying = createLeases(database, { heldMs: 300, signMs: 60_000 });
    await dying.hold('chore tidy');
    let done = 0;
    const chores = { shared: { tidy: async () => ++done }, own: {} };
    const sweeping = startCleanup(chores, { leases: createLeases(database), logger, intervalMs: 50 });
    await sleep(200);
    expect(done).toBe(0);
    while (done === 0) await sleep(20);
    await sweeping.stop();
  });
});
