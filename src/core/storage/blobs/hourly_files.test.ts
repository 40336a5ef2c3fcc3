import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileObjects } from '../objects/file_objects.ts';
import { createHourlyFiles } from './hourly_files.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-10-09T14:59:00Z');

async function given({ bytesMax = 100, lifetimeMs = HOUR_MS } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-hourly-'));
  const clock = { ms: START_MS };
  const files = createHourlyFiles(createFileObjects(folder), { lifetimeMs, bytesMax, now: () => clock.ms });
  return { folder, clock, files };
}

test('a file is found by its name until its lifetime ends', async () => {
  const { files, clock } = await given();
  const { name, expiresAt } = await files.write(Buffer.from('hello'), 'txt', { durable: true });
  expect(expiresAt).toEqual(new Date(START_MS + HOUR_MS));
  clock.ms = expiresAt.getTime() - 1;
  expect(await files.read(name)).toEqual(Buffer.from('hello'));
  clock.ms = expiresAt.getTime();
  expect(await files.read(name)).toBeUndefined();
});

test('names are unique', async () => {
  const { files } = await given();
  const names = await Promise.all(
    Array.from({ length: 20 }, async () => (await files.write(Buffer.from('a'), '')).name),
  );
  expect(new Set(names).size).toBe(20);
});

const RANDOM = 'a'.repeat(32);
test.each([
  '',
  '..',
  '../../../etc/passwd',
  `t3k9zq-${RANDOM}/../x`,
  `T3K9ZQ-${RANDOM}`,
  `t3k9zq-${RANDOM}.`,
  `t3k9zq-${RANDOM}.png\0`,
  `t3k9zq-${RANDOM}\n`,
  `zzzzzzzz-${RANDOM}`,
  `zzzzzzzzz-${RANDOM}`,
])('%j is not the name of a file', async (name) => {
  const { files } = await given();
  expect(await files.read(name)).toBeUndefined();
});

test('a cleanup deletes an hour folder only once its last file has expired', async () => {
  const { files, folder } = await given();
  await files.write(Buffer.from('a'), '');
  expect(await files.sweep(new Date('2026-10-09T15:59:59Z'))).toBe(0);
  expect(await files.sweep(new Date('2026-10-09T16:00:00Z'))).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('a full folder refuses concurrent writes, and accepts files again after a cleanup', async () => {
  const { files, clock } = await given({ bytesMax: 100 });
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => files.write(Buffer.alloc(30), '')));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(files.write(Buffer.alloc(30), '')).rejects.toMatchObject({ code: 'storage_full' });
  clock.ms += 3 * HOUR_MS;
  await files.sweep(new Date(clock.ms));
  expect(await files.write(Buffer.alloc(30), '')).toBeDefined();
});

test('files from before a restart count towards the limit', async () => {
  const { files, folder } = await given();
  await files.write(Buffer.alloc(90), '');
  const restarted = createHourlyFiles(createFileObjects(folder), { lifetimeMs: HOUR_MS, bytesMax: 100 });
  await expect(restarted.write(Buffer.alloc(20), '')).rejects.toMatchObject({ code: 'storage_full' });
});
