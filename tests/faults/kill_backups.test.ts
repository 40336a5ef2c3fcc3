import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fillData, readStoredData, type StoredData } from '../support/filled_data.ts';
import { inTheMiddle, killWhen, succeed } from '../support/kill_commands.ts';
import { newSchema } from '../support/new_schema.ts';
import { runCommand } from '../support/run_command.ts';
import { needs } from '../support/test_requirements.ts';

/** kill -9 in the middle of `atelier backup` and of `atelier restore`: nothing half is ever taken for whole, and the same command goes on. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const BLOBS = 40;

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-kill-backup-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const source = newFolder();
const whole = newFolder();
let kept: StoredData;
beforeAll(async () => {
  await fillData({ DATA_DIR: source }, { rows: 8_000, blobs: BLOBS, blobBytes: 200_000 });
  kept = await readStoredData({ DATA_DIR: source });
  await succeed(['backup', whole], { DATA_DIR: source });
});

/** Whether a restore into a folder was left half done. */
const isUnfinished = (folder: string): boolean => existsSync(join(folder, 'restore_unfinished'));

const filesIn = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    : 0;

test.each([
  ['its lock is taken', (folder: string) => existsSync(join(folder, 'backup.lock'))],
  ['half of the blobs are there', (folder: string) => filesIn(join(folder, 'objects')) > BLOBS / 2 + 16],
])('a backup killed when %s leaves no backup, and a rerun creates it', async (_, isTime) => {
  const settings = { DATA_DIR: source };
  const folder = await inTheMiddle(async () => {
    const tried = newFolder();
    const isKilled = await killWhen(runCommand(['backup', tried], settings), () => isTime(tried));
    const { code, said } = await runCommand(['backup', tried, '--check'], settings).ended;
    return isKilled && code === 1 && said.includes('There is no backup') ? tried : undefined;
  });
  await succeed(['backup', folder], settings);
  await succeed(['backup', folder, '--check'], settings);
  await succeed(['backup', folder, '--keep', '1'], settings);
  const restored = { DATA_DIR: newFolder() };
  await succeed(['restore', folder], restored);
  expect(await readStoredData(restored)).toEqual(kept);
});

/** Moments of a restore into a folder. */
const MOMENTS: readonly [string, (folder: string) => boolean][] = [
  ['it has begun', isUnfinished],
  ['its database is being made', (folder) => existsSync(join(folder, 'restoring', 'database'))],
  ['blobs are coming', (folder) => filesIn(join(folder, 'restoring', 'blobs')) > 3],
  ['it takes its place', (folder) => readdirSync(folder).some((name) => name.startsWith('replaced_'))],
];

test.each(MOMENTS)(
  'a restore killed when %s is not usable by a server and is completed by a rerun',
  async (_, isTime) => {
    const words = ['restore', whole, '--replace'];
    const { target, before } = await inTheMiddle(async () => {
      const tried = newFolder();
      const settings = { DATA_DIR: tried };
      await fillData(settings, { rows: 10, blobs: 1, blobBytes: 10 });
      const before = await readStoredData(settings);
      const isKilled = await killWhen(runCommand(words, settings), () => isTime(tried));
      return isKilled && isUnfinished(tried) ? { target: tried, before } : undefined;
    });
    const settings = { DATA_DIR: target };
    await expect(readStoredData(settings)).rejects.toThrow(/was interrupted/);
    await succeed(words.slice(0, 2), settings);
    expect(await readStoredData(settings)).toEqual(kept);
    // The killed restore may have put aside the database alone, and the second one the blobs.
    const aside = putAside(target);
    const read = await Promise.allSettled(aside.map((folder) => readStoredData({ DATA_DIR: folder })));
    const books = read.flatMap((one) =>
      one.status === 'fulfilled' ? [{ ...one.value, blobs: before.blobs }] : [],
    );
    expect(books).toContainEqual(before);
    const names = aside.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }));
    expect(names.map((name) => basename(name))).toEqual(expect.arrayContaining([...before.blobs]));
  },
);

/** Everything that restores have put aside there, each as a folder of its own. */
const putAside = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('replaced_'))
    .map((name) => join(folder, name));

describe('on PostgreSQL', needs('PostgreSQL'), () => {
  test.each(MOMENTS.slice(0, 1).concat([MOMENTS[2]!]))(
    'a restore killed when %s is completed by a rerun',
    async (_, isTime) => {
      const settings = await inTheMiddle(async () => {
        const schema = await newSchema(process.env.TEST_DATABASE_URL!);
        onTestFinished(() => schema.drop());
        const tried = { DATA_DIR: newFolder(), DATABASE_URL: schema.url };
        const isKilled = await killWhen(runCommand(['restore', whole], tried), () => isTime(tried.DATA_DIR));
        return isKilled && isUnfinished(tried.DATA_DIR) ? tried : undefined;
      });
      await expect(readStoredData(settings)).rejects.toThrow(/was interrupted/);
      await succeed(['restore', whole], settings);
      expect(await readStoredData(settings)).toEqual(kept);
    },
  );
});
