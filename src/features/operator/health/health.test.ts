import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { ROOMY_DISK } from '../../../../tests/support/roomy_disk.ts';
import { createHealth } from './health.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'atelier-health-'));
const never = { query: async () => Promise.reject(new Error('password of 10.0.0.7')) };

forEachDatabase((_name, open) => {
  test('each health check writes a database row and a file', async () => {
    const clock = { ms: 0 };
    const database = await open();
    const health = createHealth({ database, dataDir, disk: ROOMY_DISK, now: () => clock.ms });
    expect(await health.check()).toEqual({ database: true, storage: true, room: true, clock: true });
    clock.ms += 60_000;
    expect(await health.check()).toEqual({ database: true, storage: true, room: true, clock: true });
    expect(await database.query('select count(*) as count from health_checks')).toEqual([{ count: 1 }]);
  });
});

test.each([
  [29_000, true],
  [-3_600_000, false],
  [3_600_000, false],
])('a clock %i ms behind the database clock', async (ms, clock) => {
  const database = { query: async <Row>() => [{ at: new Date(Date.now() + ms) }] as Row[] };
  const checks = await createHealth({ database, dataDir, disk: ROOMY_DISK }).check();
  expect(checks).toEqual({ database: true, storage: true, room: true, clock });
});

test('each check fails independently', async () => {
  const disk = { hasRoom: async () => false };
  const parts = { database: never, dataDir: join(dataDir, 'absent'), disk };
  expect(await createHealth(parts).check()).toEqual({ database: false, storage: false, room: false });
});

test('with object storage the health check includes the bucket', async () => {
  const health = (check: () => Promise<void>) =>
    createHealth({ database: never, dataDir, disk: ROOMY_DISK, store: { remote: { check } } });
  expect(await health(async () => {}).check()).toMatchObject({ storage: true });
  expect(await health(() => Promise.reject(new Error('403'))).check()).toMatchObject({ storage: false });
});

test('frequent health requests reuse a recent result', async () => {
  const clock = { ms: 0 };
  let asked = 0;
  const database = {
    query: async () => {
      asked += 1;
      return [];
    },
  };
  const health = createHealth({ database, dataDir, disk: ROOMY_DISK, now: () => clock.ms });
  await Promise.all([health.check(), health.check()]);
  clock.ms += 1_999;
  await health.check();
  expect(asked).toBe(1);
  clock.ms += 1;
  await health.check();
  expect(asked).toBe(2);
});
