import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../../../../tests/support/open_embedded_database.ts';
import { forEachS3Server, type StorageSettings } from '../../../../tests/support/s3_servers.ts';
import { spooled } from '../../../../tests/support/spooled.ts';
import { readConfig } from '../../../config/config.ts';
import type { ScriptableDatabase } from '../../database/types.ts';
import { openStore } from './objects.ts';
import type { Store } from './types.ts';

/** Behaviour that all stores share: the disk, and object stores. */

const HELLO = Buffer.from('hello');
const OTHER = Buffer.from('another');
/** More than one part. */
const LARGE = randomBytes(21 * 1024 * 1024 + 3);
const FUTURE = new Date(Date.now() + 86_400_000);
const LONG_AGO = new Date(0);

const dataDir = mkdtempSync(join(tmpdir(), 'atelier-objects-'));
let database: ScriptableDatabase;
beforeAll(async () => {
  database = await openEmbeddedDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

const storeOf = (settings: Partial<StorageSettings> = {}): Promise<Store> =>
  openStore(readConfig({ DATA_DIR: dataDir, ...settings }), database);
const newName = () => `2c/f2/${randomUUID()}`;
/** Simulates ten minutes since the last cleanup. */
const letTimePass = () =>
  database.query(`update condemned_objects set condemned_at = now() - interval '11 minutes'`);

describe('files', () => contract(() => storeOf(), 'files'));
forEachS3Server((name, settings) => contract(() => storeOf(settings()), name));

function contract(open: () => Promise<Store>, name: string) {
  let store: Store;
  beforeAll(async () => {
    store = await open();
    await store.remote?.probe();
  });
  const objects = () => store.objectsOf('things');

  test('a written object is readable, completely and in ranges, under its name alone', async () => {
    const own = newName();
    await objects().write(own, HELLO, { durable: true });
    expect(Buffer.from((await objects().read(own))!)).toEqual(HELLO);
    const blob = await objects().open(own);
    expect([blob?.size, await blob?.text(), await blob?.slice(1, -1).text()]).toEqual([5, 'hello', 'ell']);
    expect(await objects().sizeOf(own)).toBe(5);
    expect(await store.objectsOf('others').read(own)).toBeUndefined();
  });

  test('a missing object is undefined, and removing it is not an error', async () => {
    const none = newName();
    expect([await objects().read(none), await objects().open(none), await objects().sizeOf(none)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await objects().remove(none);
    expect(await objects().removeFolder(randomUUID())).toBe(0);
    expect(await Array.fromAsync(objects().list(randomUUID()))).toEqual([]);
  });

  test('an empty object exists', async () => {
    const own = newName();
    await objects().write(own, new Uint8Array());
    expect([(await objects().read(own))?.length, await (await objects().open(own))?.text()]).toEqual([0, '']);
  });

  test('a large object is read back unchanged, whole or as a stream', async () => {
    const own = newName();
    await objects().replace(own, LARGE);
    expect(LARGE.equals((await objects().read(own))!)).toBe(true);
    const chunks = await Array.fromAsync((await objects().open(own))!.stream());
    expect(LARGE.equals(Buffer.concat(chunks))).toBe(true);
  });

  test('an existing name cannot be added again', async () => {
    const own = newName();
    expect(await objects().addFile(own, await spooled(HELLO))).toBe(true);
    expect(await objects().addFile(own, await spooled(OTHER))).toBe(false);
    expect(Buffer.from((await objects().read(own))!)).toEqual(HELLO);
  });

  // The other two admit concurrent writers: s3rver ignores If-None-Match, and Swift checks before it writes.
  test.runIf(name === 'files')('of concurrent additions of one name, one succeeds', async () => {
    const own = newName();
    const added = await Promise.all(
      Array.from({ length: 8 }, async () => objects().addFile(own, await spooled(HELLO))),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
  });

  test('a reader during a replacement gets the old or the new bytes', async () => {
    const own = newName();
    await objects().replace(own, HELLO);
    const [, read] = await Promise.all([objects().replace(own, OTHER), objects().read(own)]);
    expect(['hello', 'another']).toContain(Buffer.from(read!).toString());
    expect(Buffer.from((await objects().read(own))!)).toEqual(OTHER);
  });

  test('an object written through a file is stored, and a failed one leaves nothing', async () => {
    const [own, failed] = [newName(), newName()];
    const { sizeBytes, made } = await objects().make(own, async (path) => {
      await writeFile(path, LARGE);
      return 'made';
    });
    expect([sizeBytes, made]).toEqual([LARGE.length, 'made']);
    expect(LARGE.equals((await objects().read(own))!)).toBe(true);
    const torn = objects().make(failed, async (path) => {
      await writeFile(path, HELLO);
      throw new Error('torn');
    });
    await expect(torn).rejects.toThrow('torn');
    expect(await objects().read(failed)).toBeUndefined();
    if (name !== 'files') expect(readdirSync(join(dataDir, 'outgoing'))).toEqual([]);
  });

  test('temporary files of a killed process are deleted with the next file', async () => {
    const left = join(dataDir, 'outgoing', randomUUID());
    mkdirSync(dirname(left), { recursive: true });
    writeFileSync(left, HELLO);
    utimesSync(left, LONG_AGO, LONG_AGO);
    await objects().make(newName(), (path) => writeFile(path, HELLO));
    expect(existsSync(left)).toBe(name === 'files');
    rmSync(left, { force: true });
  });

  test('names are listed with size and age per folder, and folders are removed completely', async () => {
    const folder = `2026-10-09T${randomUUID()}`;
    const names = [`${folder}/met%2F1 +(2).jpg`, `${folder}/deep/er`, `${folder}2/beside`];
    await Promise.all(names.map((one) => objects().write(one, HELLO)));
    const found = await Array.fromAsync(objects().list(folder));
    expect(found.map((one) => one.name).sort()).toEqual(names.slice(0, 2).sort());
    expect(found[0]).toMatchObject({ sizeBytes: 5 });
    expect(Math.abs(found[0]!.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(await objects().folders()).toEqual(expect.arrayContaining([folder, `${folder}2`]));
    expect(await objects().removeFolder(folder)).toBe(2);
    expect((await objects().folders()).includes(folder)).toBe(false);
    expect(await objects().sizeOf(names[2]!)).toBe(5);
  });

  test('recent objects are kept; old ones are deleted, in a bucket only after being marked', async () => {
    const own = newName();
    await objects().replace(own, HELLO);
    const sweep = async (than: Date) => {
      const removed = [await objects().removeIfOlder(own, than)];
      await letTimePass();
      return [...removed, await objects().removeIfOlder(own, than)];
    };
    expect(await sweep(LONG_AGO)).toEqual([false, false]);
    expect(await objects().sizeOf(own)).toBe(5);
    expect((await sweep(FUTURE)).filter(Boolean)).toHaveLength(1);
    expect(await objects().sizeOf(own)).toBeUndefined();
    expect(await objects().removeIfOlder(own, FUTURE)).toBe(false);
  });
}
