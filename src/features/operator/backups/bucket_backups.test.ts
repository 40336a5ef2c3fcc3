import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fillData, readStoredData, type StoredData } from '../../../../tests/support/filled_data.ts';
import { forEachS3Server, s3rver, swift } from '../../../../tests/support/s3_servers.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { readConfig } from '../../../config/config.ts';
import { createBackupBucket } from '../../../core/storage/objects/s3/bucket_store.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import { openBackups, openPlace } from './backups.ts';
import type { BackupPlace } from './deps.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const restore = { mayReplace: false };
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bucket-backups-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const configOf = (settings: Record<string, string>) => readConfig({ LOG_LEVEL: 'silent', ...settings });
const few = { rows: 20, blobs: 4, blobBytes: 1000 };

describe('backups in a bucket', needs('Swift'), () => {
  let address: string;
  let keys: { BACKUP_KEY_ID: string; BACKUP_SECRET_KEY: string };
  let source: typeof keys & { DATA_DIR: string };
  let place: BackupPlace;
  const elsewhere = () => openBackups(configOf({ DATA_DIR: newFolder(), ...keys }));
  let kept: StoredData;
  beforeAll(async () => {
    const { STORAGE_URL, STORAGE_KEY_ID, STORAGE_SECRET_KEY } = swift();
    address = `${STORAGE_URL}/backups`;
    keys = { BACKUP_KEY_ID: STORAGE_KEY_ID, BACKUP_SECRET_KEY: STORAGE_SECRET_KEY };
    source = { DATA_DIR: newFolder(), ...keys };
    place = openPlace(address, configOf(source));
    await fillData(source, few);
    kept = await readStoredData(source);
  });

  test('restore completely; the next is incremental, and --keep removes older ones', async () => {
    const backups = openBackups(configOf(source));
    const first = await backups.make(address, {});
    const target = { DATA_DIR: newFolder(), ...keys };
    expect(await openBackups(configOf(target)).restore(address, restore)).toMatchObject({ name: first.name });
    expect(await readStoredData(target)).toEqual(kept);
    const second = await backups.make(address, { keep: 1 });
    expect(second.addedBytes).toBeLessThan(first.addedBytes / 2);
    expect(second.pruned).toEqual([first.name]);
    expect(await backups.check(address, {})).toMatchObject({ name: second.name });
  });

  test.each([
    ['altered', (bytes: Buffer) => Buffer.from(bytes).fill(0, 0, 1)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -1)],
  ])('an object that is %s is detected before anything is restored', async (_, change) => {
    const name = (await Array.fromAsync(place.objects.list()))[0]!.name;
    const bytes = Buffer.from((await place.objects.read(name))!);
    await place.objects.replace(name, change(bytes));
    await expect(elsewhere().restore(address, restore)).rejects.toThrow(`${name} is damaged`);
    await place.objects.replace(name, bytes);
  });

  test('only one process holds the lock; a stale lock is taken over', async () => {
    const held = await place.hold();
    await expect(openBackups(configOf(source)).make(address, {})).rejects.toThrow(
      `Process ${process.pid} on`,
    );
    await held.release();
    await keepLock({ pid: 2 ** 22 + 1 });
    await expect(openBackups(configOf(source)).make(address, {})).resolves.toMatchObject({ damaged: [] });
  });

  test('a process that loses the lock stops', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const held = await place.hold();
    await keepLock({ pid: 1 });
    await vi.advanceTimersByTimeAsync(15_000);
    vi.useRealTimers();
    await expect.poll(() => held.lost?.aborted, { timeout: 10_000 }).toBe(true);
    await held.release();
    expect(await bucket().read('lock/owner')).toBeDefined();
    await bucket().remove('lock/owner');
  });

  const bucket = (): Objects =>
    createBackupBucket(
      address,
      {
        region: 'us-east-1',
        outgoing: newFolder(),
        keyId: keys.BACKUP_KEY_ID,
        secretKey: keys.BACKUP_SECRET_KEY,
      },
      { named: { address: '', keys: '', region: '' }, secret: '' },
    ).within('');

  /** A lock of another process on this machine. */
  async function keepLock(more: object): Promise<void> {
    const held = await place.hold().catch(() => undefined);
    const lock = JSON.parse(Buffer.from((await bucket().read('lock/owner'))!).toString());
    await bucket().replace('lock/owner', Buffer.from(JSON.stringify({ ...lock, started: '', ...more })));
    await held?.release();
  }
});

describe('a bucket as the source', () => {
  forEachS3Server((_name, settings) => {
    test('backs up to a folder and restores to another prefix with every blob', async () => {
      const { STORAGE_URL, ...keys } = settings();
      const source = { DATA_DIR: newFolder(), STORAGE_URL: `${STORAGE_URL}/source`, ...keys };
      await fillData(source, few);
      const folder = newFolder();
      expect(await openBackups(configOf(source)).make(folder, {})).toMatchObject({
        blobs: few.blobs,
        damaged: [],
      });
      const target = { ...source, DATA_DIR: newFolder(), STORAGE_URL: `${STORAGE_URL}/target` };
      await openBackups(configOf(target)).restore(folder, restore);
      expect(await readStoredData(target)).toEqual(await readStoredData(source));
    });
  });
});

describe('invalid backup destinations', () => {
  const settings = s3rver();
  const make = (address: string, more: Record<string, string> = {}) =>
    openBackups(configOf({ DATA_DIR: newFolder(), ...more })).make(address, {});

  test.each([
    's3://bucket/prefix',
    'https://host.test',
    'https://a:b@host.test/bucket',
    'ftp://host.test/bucket',
  ])('%s', async (address) => {
    await expect(make(address)).rejects.toThrow(/is not a bucket URL. Use endpoint/);
  });

  test('a bucket without keys', async () => {
    await expect(make('https://host.test/bucket')).rejects.toThrow(/Set BACKUP_KEY_ID and BACKUP_SECRET_KEY/);
  });

  test('the storage bucket of the server', async () => {
    const own = settings();
    await expect(make(`${own.STORAGE_URL}/`, own as object as Record<string, string>)).rejects.toThrow(
      /backup bucket is the one of STORAGE_URL/,
    );
  });

  test('a publicly readable bucket', async () => {
    const { STORAGE_URL, STORAGE_KEY_ID, STORAGE_SECRET_KEY } = settings();
    const keys = { BACKUP_KEY_ID: STORAGE_KEY_ID, BACKUP_SECRET_KEY: STORAGE_SECRET_KEY };
    await expect(make(`${STORAGE_URL}/open`, keys)).rejects.toThrow(
      /is publicly readable: a backup contains keys/,
    );
  });
});

/** Manifests as a newer version writes them. */
describe('a backup from a newer version', () => {
  const folder = newFolder();
  const source = { DATA_DIR: newFolder() };
  let name: string;
  beforeAll(async () => {
    await fillData(source, { ...few, rows: 1 });
    ({ name } = await openBackups(configOf(source)).make(folder, {}));
  });

  test.each<[string, (manifest: Record<string, unknown>) => object, RegExp]>([
    [
      'a later format',
      (manifest) => ({ ...manifest, format: 2, more: 1 }),
      /made by a newer version. Restore it with that version/,
    ],
    [
      'tables of later migrations',
      ({ migrations, ...manifest }) => ({
        ...manifest,
        migrations: [...(migrations as object[]), { name: '9999_later.sql', sha256: 'a'.repeat(64) }],
      }),
      /made by a newer version, whose database has 9999_later/,
    ],
  ])('with %s is rejected by name and leaves nothing behind', async (_, change, said) => {
    const { manifests } = openPlace(folder, configOf(source));
    const bytes = Buffer.from((await manifests.read(`${name}.json`))!);
    const text = JSON.stringify(change(JSON.parse(bytes.toString().split('\n')[1]!)));
    const sum = createHash('sha256').update(text).digest('hex');
    await manifests.replace(`${name}.json`, Buffer.from(`${sum}\n${text}\n`));
    const target = { DATA_DIR: newFolder() };
    await expect(openBackups(configOf(target)).restore(folder, restore)).rejects.toThrow(said);
    await manifests.replace(`${name}.json`, bytes);
    await openBackups(configOf(target)).restore(folder, restore);
    expect(await readStoredData(target)).toEqual(await readStoredData(source));
  });
});
