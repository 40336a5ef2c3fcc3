import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { fillData, readStoredData, type StoredData } from '../support/filled_data.ts';
import { runCommand } from '../support/run_command.ts';
import { openSmallDisk, type SmallDisk } from '../support/small_disk.ts';
import { needs } from '../support/test_requirements.ts';

/** `atelier backup` and `atelier restore` on a disk that is full: nothing half is left in use, and the same command ends it once there is room. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-full-'));
  folders.push(folder);
  return folder;
};
const source = { DATA_DIR: newFolder() };
const whole = newFolder();
let disk: SmallDisk;
let kept: StoredData;
beforeAll(async () => {
  await fillData(source, { rows: 2_000, blobs: 20, blobBytes: 500_000 });
  kept = await readStoredData(source);
  expect(await runCommand(['backup', whole], source).ended).toMatchObject({ code: 0 });
});
beforeEach(() => {
  disk = openSmallDisk();
  return () => disk.close();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** One sentence of what is wrong, one of what has become of it. */
const A_SENTENCE = /(^|\n)The disk [^\n]* is full[^\n]* Free disk space[^\n]*\n[^\n]*\n$/;

test(
  'a backup fails on a full disk and succeeds once space is free',
  needs('the right to mount'),
  async () => {
    const folder = join(disk.folder, 'backups');
    const backup = () => runCommand(['backup', folder], source).ended;
    disk.fill!(5);
    const failed = await backup();
    expect([failed.code, failed.said]).toEqual([1, expect.stringMatching(A_SENTENCE)]);
    expect(existsSync(join(folder, 'backups')) ? readdirSync(join(folder, 'backups')) : []).toEqual([]);
    disk.empty();
    expect(await backup()).toMatchObject({ code: 0 });
    expect(await runCommand(['backup', folder, '--check'], source).ended).toMatchObject({ code: 0 });
  },
);

test.each([5, 45])(
  'a restore with %i MiB free fails and succeeds once space is free',
  needs('the right to mount'),
  async (room) => {
    const target = { DATA_DIR: join(disk.folder, 'data') };
    const restore = () => runCommand(['restore', whole, '--replace'], target).ended;
    disk.fill!(room);
    const failed = await restore();
    expect([failed.code, failed.said]).toEqual([1, expect.stringMatching(A_SENTENCE)]);
    expect(existsSync(join(target.DATA_DIR, 'database'))).toBe(false);
    disk.empty();
    expect(await restore()).toMatchObject({ code: 0 });
    expect(await readStoredData(target)).toEqual(kept);
  },
);
