import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { requireSameStorage } from './same_storage.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-storage-'));
  folders.push(folder);
  return folder;
}

forEachDatabase((kind, open) => {
  if (kind === 'embedded') {
    test('an embedded database needs no id: it lies in the folder', async () => {
      const dataDir = await newFolder();
      await requireSameStorage(await open(), { dataDir });
      expect(await readdir(dataDir)).toEqual([]);
    });
    return;
  }

  test('a new folder and a new database belong together from then on', async () => {
    const [database, dataDir] = [await open(), await newFolder()];
    const starts = Array.from({ length: 5 }, () => requireSameStorage(database, { dataDir }));
    await Promise.all(starts);
    await requireSameStorage(database, { dataDir });
    expect(await readdir(dataDir)).toEqual(['storage_id']);
  });

  test('a second server with a folder of its own is refused, and leaves no trace', async () => {
    const [database, dataDir, another] = [await open(), await newFolder(), await newFolder()];
    await requireSameStorage(database, { dataDir });
    const second = requireSameStorage(database, { dataDir: another });
    await expect(second).rejects.toThrow(/another folder than DATA_DIR.*set DATA_DIR.*ADOPT_STORAGE=true/);
    expect(await readdir(another)).toEqual([]);
    await requireSameStorage(database, { dataDir });
  });

  test('a folder of another database is refused', async () => {
    const dataDir = await newFolder();
    await requireSameStorage(await open(), { dataDir });
    const fresh = await open();
    await expect(requireSameStorage(fresh, { dataDir })).rejects.toThrow(/belongs to another database/);
    await writeFile(join(dataDir, 'storage_id'), '');
    await expect(requireSameStorage(fresh, { dataDir })).rejects.toThrow(/belongs to another database/);
    await requireSameStorage(fresh, { dataDir, mayAdopt: true });
    await requireSameStorage(fresh, { dataDir });
  });

  test('two that were used apart are tied where the operator says so, and stay so', async () => {
    const [database, dataDir, another] = [await open(), await newFolder(), await newFolder()];
    await requireSameStorage(database, { dataDir });
    await writeFile(join(another, 'storage_id'), 'of somebody else');
    await expect(requireSameStorage(database, { dataDir: another })).rejects.toThrow(/different servers/);
    await requireSameStorage(database, { dataDir: another, mayAdopt: true });
    await requireSameStorage(database, { dataDir: another });
    await expect(requireSameStorage(database, { dataDir })).rejects.toThrow(/different servers/);
  });
});
