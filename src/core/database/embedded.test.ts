import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSmallDisk } from '../../../tests/support/small_disk.ts';
import { openEmbedded } from './embedded.ts';
import { lockFolder } from './folder_lock.ts';
import { EMBEDDED_REOPEN_MS } from './limits.ts';
import { openDatabase } from './open_database.ts';

// Creating a cluster takes seconds without a snapshot.

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-data-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));
const lockPath = () => join(dataDir, 'database.lock');
const ownLock = () => {
  const unlock = lockFolder(dataDir);
  const lock = JSON.parse(readFileSync(lockPath(), 'utf8')) as { pid: number; started: string; host: string };
  unlock();
  return lock;
};

test('data persists across restarts, in a folder that only its owner can read', async () => {
  const database = await openDatabase({ dataDir });
  await database.query('create table pots as select 7 as size');
  await database.close();
  const again = await openDatabase({ dataDir });
  expect(await again.query('select size from pots')).toEqual([{ size: 7 }]);
  await again.close();
  expect(statSync(join(dataDir, 'database')).mode & 0o777).toBe(0o700);
  expect(existsSync(lockPath())).toBe(false);
});

test('an open folder is refused, naming the process that uses it and the remedy', async () => {
  const database = await openDatabase({ dataDir });
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    new RegExp(
      `Process ${process.pid} has .* open.*Stop it \\(kill ${process.pid}\\), or set another DATA_DIR`,
    ),
  );
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
});

test('statements fail immediately on a full disk and work again when there is space', async ({ skip }) => {
  const disk = openSmallDisk();
  try {
    if (!disk.fill) return skip('this user may not mount');
    const database = await openEmbedded(disk.folder, { isBare: true });
    await database.query('create table pots as select 7 as size');
    disk.fill();
    // Writes to the WAL until it needs another file, for which there is no space: PostgreSQL panics.
    const burn = () =>
      database.query(`select pg_logical_emit_message(false, 'burnt', repeat('x', 1000000))::text`);
    const fillLog = async () => {
      for (let megabytes = 0; megabytes < 100; megabytes += 1) await burn();
    };
    await expect(fillLog()).rejects.toMatchObject({ code: 'database_unavailable', status: 503 });
    await expect(database.query('select 1')).rejects.toMatchObject({ code: 'database_unavailable' });
    disk.empty();
    await sleep(EMBEDDED_REOPEN_MS);
    expect(await database.query('select size from pots')).toEqual([{ size: 7 }]);
    await database.transaction((tx) => tx.query('insert into pots values (8)'));
    expect(await database.query('select count(*) from pots')).toEqual([{ count: 2 }]);
    await database.close();
  } finally {
    disk.close();
  }
});

test('statements after closing are refused', async () => {
  const database = await openDatabase({ dataDir: 'memory' });
  await database.close();
  await expect(database.query('select 1')).rejects.toThrow('The embedded database is closed.');
  await expect(database.transaction((tx) => tx.query('select 1'))).rejects.toThrow('is closed');
});

test('an incomplete folder is moved aside, not deleted', async () => {
  mkdirSync(join(dataDir, 'database'));
  writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '18');
  const database = await openDatabase({ dataDir });
  await database.close();
  const aside = readdirSync(dataDir).find((name) => name.startsWith('database.incomplete-'))!;
  expect(readFileSync(join(dataDir, aside, 'PG_VERSION'), 'utf8')).toBe('18');
});

test('the lock of an ended process is taken over', () => {
  const { pid } = spawnSync('true');
  writeFileSync(lockPath(), JSON.stringify({ ...ownLock(), pid }));
  expect(() => lockFolder(dataDir)()).not.toThrow();
});

test('the lock of a running process is respected', async () => {
  const child = spawn('sleep', ['60']);
  writeFileSync(lockPath(), JSON.stringify({ ...ownLock(), pid: child.pid, started: '' }));
  expect(() => lockFolder(dataDir)).toThrow(`Process ${child.pid} has`);
  child.kill();
  await once(child, 'exit');
  expect(() => lockFolder(dataDir)()).not.toThrow();
});

test('a reused process id is not taken for the lock owner', () => {
  writeFileSync(lockPath(), JSON.stringify({ ...ownLock(), started: 'an earlier boot/1' }));
  expect(() => lockFolder(dataDir)()).not.toThrow();
});

test('a lock from another container counts while its heartbeat is recent', () => {
  writeFileSync(lockPath(), JSON.stringify({ ...ownLock(), host: 'another' }));
  expect(() => lockFolder(dataDir)).toThrow(/on another has .* open/);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(lockPath(), longAgo, longAgo);
  expect(() => lockFolder(dataDir)()).not.toThrow();
});

test('a foreign file in place of the lock is left unchanged', () => {
  writeFileSync(lockPath(), 'mine');
  expect(() => lockFolder(dataDir)).toThrow('is not a lock file of this service');
  expect(readFileSync(lockPath(), 'utf8')).toBe('mine');
});
