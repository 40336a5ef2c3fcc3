import { beforeEach, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { Database } from '../../core/database/types.ts';
import { blobsInUse } from '../operator/backups/blobs_in_use.ts';
import type { Wallets } from '../wallets/types.ts';
import { createWallets } from '../wallets/wallets.ts';
import { createAssets } from './assets.ts';
import type { Assets } from './types.ts';

/** Earlier versions and deleted assets. */

const WALLET = `0x${'a'.repeat(40)}`;
const DAY_MS = 86_400_000;
const MB = 1024 * 1024;

forEachDatabase((_name, open) => {
  let database: Database;
  let wallets: Wallets;
  let assets: Assets;
  beforeEach(async () => {
    database = await open();
    wallets = createWallets(database);
    const names = new Map<string, Uint8Array>();
    const put = async (bytes: Uint8Array) => {
      const sha256 = Buffer.from(bytes.slice(0, 32)).toString('hex').padEnd(64, '0');
      names.set(sha256, bytes);
      return sha256;
    };
    assets = createAssets({
      database,
      blobs: {
        put,
        get: async (name) => names.get(name)!,
        open: async (name) => new Blob([names.get(name)! as Uint8Array<ArrayBuffer>]),
        sweep: async () => 0,
      },
      links: { publicUrl: '', sign: () => '', verify: () => false },
      lockedAt: async () => undefined,
      isKeyInForce: async () => false,
    });
    await wallets.register(WALLET);
  });
  const save = (text: string, more: { key?: string; hold?: string; bytes?: Uint8Array } = {}) =>
    assets.save({
      wallet: WALLET,
      key: 'note',
      bytes: Buffer.from(text),
      contentType: 'text/plain',
      ...more,
    });
  async function paidSave(id: string, text: string, end: 'settle' | 'release') {
    const expiresAt = new Date(Date.now() + 60_000);
    const held = await wallets.hold({ id, wallet: WALLET, amount: 10, tool: 'save_asset', expiresAt });
    await save(text, { hold: id });
    await wallets[end](held);
  }
  const textOf = async (id: string) => (await assets.openEarlier(WALLET, id)).blob.text();
  const versions = async () =>
    Promise.all((await assets.versions(WALLET, 'note')).map(({ id }) => textOf(id)));
  const current = async () => Buffer.from((await assets.open(WALLET, 'note')).bytes).toString();

  test('saving again keeps up to ten versions, newest first; identical content adds none', async () => {
    for (const text of ['one', 'two', 'two', 'three']) await save(text);
    expect(await versions()).toEqual(['two', 'one']);
    for (let count = 4; count < 20; count += 1) await save(String(count));
    expect(await versions()).toEqual(['18', '17', '16', '15', '14', '13', '12', '11', '10', '9']);
    expect(await assets.use(WALLET)).toMatchObject({ usedBytes: 2, earlierBytes: 19 });
  });

  test('a paid save creates a version when it is charged, and none when it is refunded', async () => {
    await paidSave('c1', 'one', 'settle');
    await paidSave('c2', 'two', 'release');
    expect([await current(), await versions()]).toEqual(['one', []]);
    await paidSave('c3', 'three', 'settle');
    expect([await current(), await versions()]).toEqual(['three', ['one']]);
  });

  test('a deleted asset is restored with its versions and uses no quota in the trash', async () => {
    for (const text of ['one', 'two']) await save(text);
    await assets.remove(WALLET, 'note');
    expect(await assets.use(WALLET)).toMatchObject({ usedBytes: 0, earlierBytes: 6 });
    const [gone, ...more] = await assets.trash(WALLET, { limit: 9 });
    expect([gone, more]).toMatchObject([{ key: 'note', isDeleted: true, sizeBytes: 3 }, []]);
    const { asset } = await assets.restore(WALLET, gone!.id);
    expect([asset.key, await current(), await versions()]).toEqual(['note', 'two', ['one']]);
    expect((await assets.versions(WALLET, 'note'))[0]!.purgeAt).toBe(null);
    await expect(assets.restore(WALLET, gone!.id)).rejects.toMatchObject({ code: 'asset_not_found' });
  });

  test('restoring a version turns the current content into a version', async () => {
    for (const text of ['one', 'two']) await save(text);
    const [one] = await assets.versions(WALLET, 'note');
    await assets.restore(WALLET, one!.id);
    expect([await current(), await versions()]).toEqual(['one', ['two']]);
  });

  test('the trash is purged after seven days and not earlier', async () => {
    for (const text of ['one', 'two']) await save(text);
    await assets.remove(WALLET, 'note');
    await assets.sweep(new Date(Date.now() + 6.9 * DAY_MS));
    expect(await versions()).toHaveLength(2);
    await assets.sweep(new Date(Date.now() + 7.1 * DAY_MS));
    expect(await versions()).toEqual([]);
    expect(await assets.use(WALLET)).toMatchObject({ earlierBytes: 0 });
  });

  test('versions have a separate quota, and the oldest are deleted first', async () => {
    const big = (count: number) => save('', { key: `k${count}`, bytes: Buffer.alloc(10 * MB, count) });
    for (let count = 1; count <= 12; count += 1) {
      await big(count);
      await assets.remove(WALLET, `k${count}`);
    }
    const trash = await assets.trash(WALLET, { limit: 99 });
    expect(trash.map(({ key }) => key)).toEqual([
      'k12',
      'k11',
      'k10',
      'k9',
      'k8',
      'k7',
      'k6',
      'k5',
      'k4',
      'k3',
    ]);
    expect(await assets.use(WALLET)).toMatchObject({ usedBytes: 0, earlierBytes: 100 * MB });
  });

  test('an item that does not fit the quota stays in the trash', async () => {
    await save('', { bytes: Buffer.alloc(10 * MB, 1) });
    await assets.remove(WALLET, 'note');
    for (let count = 0; count < 10; count += 1)
      await save('', { key: `k${count}`, bytes: Buffer.alloc(10 * MB, 2) });
    const [gone] = await assets.trash(WALLET, { limit: 1 });
    await expect(assets.restore(WALLET, gone!.id)).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    expect(await assets.trash(WALLET, { limit: 1 })).toMatchObject([{ id: gone!.id }]);
  });

  test('blobs of versions and trashed assets stay in use until they are purged', async () => {
    const first = await save('one');
    await save('two');
    const [one] = await assets.versions(WALLET, 'note');
    const inUse = () => blobsInUse(database, [first.asset.sha256]);
    expect(await inUse()).toEqual(new Set([first.asset.sha256]));
    expect(await assets.purge(WALLET, one!.id)).toMatchObject({ freedBytes: 3 });
    expect(await inUse()).toEqual(new Set());
  });

  test('IDs of other wallets, invented IDs and malformed IDs give the same error', async () => {
    for (const text of ['one', 'two']) await save(text);
    const [one] = await assets.versions(WALLET, 'note');
    const other = `0x${'b'.repeat(40)}`;
    for (const [wallet, id] of [
      [other, one!.id],
      [WALLET, crypto.randomUUID()],
      [WALLET, "x' or 1=1"],
      [WALLET, ''],
    ] as const)
      for (const act of [assets.restore, assets.purge, assets.openEarlier])
        await expect(act(wallet, id)).rejects.toMatchObject({ code: 'asset_not_found' });
  });
});
