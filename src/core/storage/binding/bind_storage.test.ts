import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { createFileObjects } from '../objects/file_objects.ts';
import type { RemoteStore } from '../objects/types.ts';
import { requireSameKeys, requireSameStorage } from './bind_storage.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-storage-'));
  folders.push(folder);
  return folder;
}

/** A minimal bucket. */
async function newBucket(): Promise<RemoteStore> {
  return {
    where: 'https://s3.test/bucket',
    root: createFileObjects(await newFolder()),
    probe: async () => ({ keepsFirst: true }),
    endAbandoned: async () => 0,
    check: async () => {},
  };
}

forEachDatabase((kind, open) => {
  test('servers with separate folders share a bucket, and another database is refused', async () => {
    const [database, remote] = [await open(), await newBucket()];
    await requireSameStorage(database, { dataDir: await newFolder(), remote });
    await requireSameStorage(database, { dataDir: await newFolder(), remote });
    await database.query('delete from storage');
    await expect(requireSameStorage(database, { dataDir: await newFolder(), remote })).rejects.toThrow(
      /is new, and the bucket STORAGE_URL https:\/\/s3.test\/bucket is paired with another/,
    );
  });

  test('a database with files in a bucket does not start without it unless the operator overrides', async () => {
    const [database, remote, dataDir] = [await open(), await newBucket(), await newFolder()];
    await requireSameStorage(database, { dataDir, remote });
    await expect(requireSameStorage(database, { dataDir })).rejects.toThrow(/set STORAGE_URL|set DATA_DIR/i);
    await requireSameStorage(database, { dataDir, mayAdopt: true });
    await requireSameStorage(database, { dataDir });
  });

  test('a generated key that differs from the known key is refused, and a configured key replaces it', async () => {
    const database = await open();
    const key = (bytes: string, isSet = false) =>
      requireSameKeys(database, [{ setting: 'SIGNING_SECRET', file: 'signing_secret', bytes, isSet }], {
        mayAdopt: false,
      });
    await key('of the first');
    await key('of the first');
    await expect(key('of the second')).rejects.toThrow(/Set SIGNING_SECRET to their key/);
    await key('of the operator', true);
    await expect(key('of the first')).rejects.toThrow('signing_secret in the DATA_DIR');
  });

  if (kind === 'embedded') {
    test('switching to a new bucket is refused while the folder contains files', async () => {
      const dataDir = await newFolder();
      await mkdir(join(dataDir, 'blobs'));
      const [database, remote] = [await open(), await newBucket()];
      await expect(requireSameStorage(database, { dataDir, remote })).rejects.toThrow(/atelier migrate/);
    });

    test('an embedded database needs no storage id because it is in the folder', async () => {
      const dataDir = await newFolder();
      await requireSameStorage(await open(), { dataDir });
      expect(await readdir(dataDir)).toEqual([]);
    });
    return;
  }

  test('a new folder and a new database are bound to each other', async () => {
    const [database, dataDir] = [await open(), await newFolder()];
    const starts = Array.from({ length: 5 }, () => requireSameStorage(database, { dataDir }));
    await Promise.all(starts);
    await requireSameStorage(database, { dataDir });
    expect(await readdir(dataDir)).toEqual(['storage_id']);
  });

  test('a second server with a separate folder is refused and changes nothing', async () => {
    const [database, dataDir, another] = [await open(), await newFolder(), await newFolder()];
    await requireSameStorage(database, { dataDir });
    const second = requireSameStorage(database, { dataDir: another });
    await expect(second).rejects.toThrow(
      /other storage than the folder DATA_DIR.*set DATA_DIR.*ADOPT_STORAGE=true/,
    );
    expect(await readdir(another)).toEqual([]);
    await requireSameStorage(database, { dataDir });
  });

  test('a folder of another database is refused', async () => {
    const dataDir = await newFolder();
    await requireSameStorage(await open(), { dataDir });
    const fresh = await open();
    await expect(requireSameStorage(fresh, { dataDir })).rejects.toThrow(
      /is new, and the folder DATA_DIR .* is paired with another/,
    );
    await writeFile(join(dataDir, 'storage_id'), '');
    await expect(requireSameStorage(fresh, { dataDir })).rejects.toThrow(
      /is new, and the folder DATA_DIR .* is paired with another/,
    );
    await requireSameStorage(fresh, { dataDir, mayAdopt: true });
    await requireSameStorage(fresh, { dataDir });
  });

  test('a folder of another server is adopted if the operator allows it, permanently', async () => {
    const [database, dataDir, another] = [await open(), await newFolder(), await newFolder()];
    await requireSameStorage(database, { dataDir });
    await writeFile(join(another, 'storage_id'), 'of another server');
    await expect(requireSameStorage(database, { dataDir: another })).rejects.toThrow(
      /different installations/,
    );
    await requireSameStorage(database, { dataDir: another, mayAdopt: true });
    await requireSameStorage(database, { dataDir: another });
    await expect(requireSameStorage(database, { dataDir })).rejects.toThrow(/different installations/);
  });
});
