import { mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileObjects } from '../objects/file_objects.ts';
import { createBlobs } from './blobs.ts';

const HELLO = Buffer.from('hello');
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const HOUR_MS = 3_600_000;
const blobsIn = (folder: string, options: Parameters<typeof createBlobs>[1] = {}) =>
  createBlobs(createFileObjects(folder), options);
const newFolder = () => mkdtemp(join(tmpdir(), 'atelier-blobs-'));
const fileOf = (folder: string) => join(folder, '2c', 'f2', HELLO_SHA256);
const makeOld = (path: string) => utimes(path, new Date(0), new Date(0));
const anHourAgo = () => new Date(Date.now() - HOUR_MS);

test('bytes are stored under their SHA-256, readable by the owner only', async () => {
  const folder = await newFolder();
  const sha256 = await blobsIn(folder).put(HELLO);
  expect(sha256).toBe(HELLO_SHA256);
  expect(Buffer.from(await blobsIn(folder).get(sha256))).toEqual(HELLO);
  expect((await stat(fileOf(folder))).mode & 0o777).toBe(0o600);
});

test('concurrent writes of the same bytes leave one file and no temporary files', async () => {
  const folder = await newFolder();
  await Promise.all(Array.from({ length: 20 }, () => blobsIn(folder).put(HELLO)));
  expect(await readdir(join(folder, '2c', 'f2'))).toEqual([HELLO_SHA256]);
});

test('damaged bytes are refused and reported, and storing them again repairs the file', async () => {
  const folder = await newFolder();
  const reports: object[] = [];
  const blobs = blobsIn(folder, { logger: { error: (details) => reports.push(details) } });
  await blobs.put(HELLO);
  await writeFile(fileOf(folder), 'hellO');
  await expect(blobs.get(HELLO_SHA256)).rejects.toMatchObject({
    code: 'stored_file_damaged',
    message: expect.stringContaining('damaged'),
  });
  expect(reports).toEqual([{ sha256: HELLO_SHA256, missing: false }]);
  await blobs.put(HELLO);
  expect(await blobs.get(HELLO_SHA256)).toEqual(HELLO);
});

test.each(['../../etc/passwd', '', 'ABC', `${HELLO_SHA256}/..`])(
  '%j is not a valid blob name',
  async (name) => {
    await expect(blobsIn(await newFolder()).get(name)).rejects.toMatchObject({ code: 'stored_file_damaged' });
  },
);

test('a cleanup deletes old unused blobs and temporary files of killed processes', async () => {
  const folder = await newFolder();
  const blobs = blobsIn(folder);
  const used = await blobs.put(Buffer.from('used'));
  await blobs.put(HELLO);
  const torn = `${fileOf(folder)}.1234.new`;
  await writeFile(torn, 'hel');
  for (const path of [fileOf(folder), torn, join(folder, used.slice(0, 2), used.slice(2, 4), used)])
    await makeOld(path);
  expect(await blobs.sweep(async () => new Set([used]), anHourAgo())).toBe(2);
  expect(await readdir(join(folder, '2c', 'f2'))).toEqual([]);
  expect(await blobs.get(used)).toEqual(Buffer.from('used'));
});

test('a cleanup keeps recent blobs', async () => {
  const blobs = blobsIn(await newFolder());
  await blobs.put(HELLO);
  expect(await blobs.sweep(async () => new Set(), anHourAgo())).toBe(0);
});

test('a blob stored again during the usage check of a cleanup survives', async () => {
  const folder = await newFolder();
  const blobs = blobsIn(folder);
  await blobs.put(HELLO);
  await makeOld(fileOf(folder));
  const removed = await blobs.sweep(async () => {
    await blobs.put(HELLO);
    return new Set();
  }, anHourAgo());
  expect(removed).toBe(0);
  expect(await blobs.get(HELLO_SHA256)).toEqual(HELLO);
});

test('a cleanup of a missing folder does nothing', async () => {
  expect(await blobsIn(join(await newFolder(), 'absent')).sweep(async () => new Set(), new Date())).toBe(0);
});
