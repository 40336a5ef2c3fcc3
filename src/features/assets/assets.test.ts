import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { ASSET_BYTES_MAX, WALLET_STORAGE_BYTES_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { createLinks } from '../../core/links/links.ts';
import { createBlobs } from '../../core/storage/blobs/blobs.ts';
import { createFileObjects } from '../../core/storage/objects/file_objects.ts';
import { blobsInUse } from '../operator/backups/blobs_in_use.ts';
import { assetLinkIn } from './asset_key.ts';
import { createAssets } from './assets.ts';

const MB = 1024 * 1024;
const HELLO = Buffer.from('hello');
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
let wallets = 0;
const newWallet = () => `0x${(wallets++).toString(16).padStart(40, '0')}`;

forEachDatabase((_, open) => {
  // Shared by all tests: each has a wallet of its own.
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  async function given() {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-assets-'));
    const blobs = createBlobs(createFileObjects(folder));
    const links = createLinks({ publicUrl: 'https://atelier.test', secret: 's'.repeat(32) });
    const keysInForce = new Set<string>();
    const assets = createAssets({
      database,
      blobs,
      links,
      lockedAt: async () => undefined,
      isKeyInForce: async (_wallet, id) => keysInForce.has(id),
    });
    const wallet = newWallet();
    const save = (key: string, bytes: Uint8Array = HELLO, metadata?: Record<string, unknown>) =>
      assets.save({ wallet, key, bytes, contentType: 'text/plain', ...(metadata && { metadata }) });
    return { folder, blobs, assets, wallet, save, keysInForce };
  }

  test('total storage across wallets is limited, and the sum is computed rarely', async () => {
    const { blobs, wallet } = await given();
    let sums = 0;
    const query: Database['query'] = (text, values) => {
      sums += Number(text.includes('sum(used_bytes'));
      return database.query(text, values);
    };
    const [row] = await database.query<{ bytes: number }>(
      'select coalesce(sum(used_bytes + earlier_bytes), 0) as bytes from asset_storage',
    );
    const assets = createAssets({
      database: { ...database, query },
      blobs,
      links: createLinks({ publicUrl: 'https://atelier.test', secret: 's'.repeat(32) }),
      lockedAt: async () => undefined,
      isKeyInForce: async () => true,
      bytesMax: row!.bytes + 3 * HELLO.length,
    });
    const save = (key: string) => assets.save({ wallet, key, bytes: HELLO, contentType: 'text/plain' });
    for (const key of ['a', 'b', 'c']) await save(key);
    const before = sums;
    await expect(save('d')).rejects.toMatchObject({ code: 'storage_full' });
    expect([before, sums]).toEqual([1, 2]);
  });

  test('a saved asset is read back unchanged', async () => {
    const { assets, wallet, save } = await given();
    const metadata = { z: 1, a: { deep: ['\u0000', '\ud800', 1e300, '猫'] }, 'b\\u0000': null };
    const saved = await save('notes/猫.txt', HELLO, metadata);
    expect(saved).toMatchObject({
      overwritten: false,
      storage: { usedBytes: 5, limitBytes: WALLET_STORAGE_BYTES_MAX },
    });
    const { asset, bytes } = await assets.open(wallet, 'notes/猫.txt');
    expect(Buffer.from(bytes)).toEqual(HELLO);
    expect(asset).toMatchObject({
      key: 'notes/猫.txt',
      contentType: 'text/plain',
      sizeBytes: 5,
      sha256: HELLO_SHA256,
    });
    expect(JSON.stringify(asset.metadata)).toBe(JSON.stringify(metadata));
    expect(asset.createdAt).toBeInstanceOf(Date);
  });

  test('saving again replaces the asset, keeps its creation date, and counts only the new size', async () => {
    const { assets, wallet, save } = await given();
    const first = await save('cafe\u0301', Buffer.alloc(100), { a: 1 });
    const second = await save('caf\u00e9', HELLO);
    expect(second).toMatchObject({
      overwritten: true,
      storage: { usedBytes: 5 },
      asset: { metadata: null, createdAt: first.asset.createdAt },
    });
    expect(second.asset.updatedAt.getTime()).toBeGreaterThanOrEqual(first.asset.updatedAt.getTime());
    expect((await assets.list(wallet, { prefix: '', limit: 10 })).count).toBe(1);
  });

  test('wallets cannot see the assets of other wallets', async () => {
    const { assets, save } = await given();
    await save('a');
    await expect(assets.open(newWallet(), 'a')).rejects.toMatchObject({ code: 'asset_not_found' });
    expect(await assets.list(newWallet(), { prefix: '', limit: 10 })).toEqual({
      assets: [],
      count: 0,
      totalBytes: 0,
      nextCursor: null,
    });
    expect(await assets.use(newWallet())).toEqual({
      usedBytes: 0,
      limitBytes: WALLET_STORAGE_BYTES_MAX,
      earlierBytes: 0,
    });
  });

  test('pages are ordered by code point and stay consistent while assets are saved', async () => {
    const { assets, wallet, save } = await given();
    const keys = ['B', 'a', 'a_', 'a%', 'ä', 'z', '猫', '😀'];
    for (const key of keys) await save(key);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await assets.list(wallet, { prefix: '', limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.assets.map(({ key }) => key));
      if (cursor === '') await save('A');
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['B', 'a', 'a%', 'a_', 'z', 'ä', '猫', '😀']);
  });

  test('a prefix matches literally and case-sensitively', async () => {
    const { assets, wallet, save } = await given();
    for (const key of ['a_1', 'ab1', 'a%1', 'A_1', '\\']) await save(key);
    const keysOf = async (prefix: string) =>
      (await assets.list(wallet, { prefix, limit: 10 })).assets.map(({ key }) => key);
    expect(await keysOf('a_')).toEqual(['a_1']);
    expect(await keysOf('a%')).toEqual(['a%1']);
    expect(await keysOf('\\')).toEqual(['\\']);
    expect(await assets.list(wallet, { prefix: 'a', limit: 1 })).toMatchObject({ count: 3, totalBytes: 15 });
  });

  test('a deleted asset is gone, frees its storage and cannot be deleted again', async () => {
    const { assets, wallet, save } = await given();
    await save('a');
    await save('b', Buffer.alloc(7));
    expect(await assets.remove(wallet, 'a')).toMatchObject({ freedBytes: 5, storage: { usedBytes: 7 } });
    await expect(assets.remove(wallet, 'a')).rejects.toMatchObject({ code: 'asset_not_found' });
    await expect(assets.open(wallet, 'a')).rejects.toMatchObject({ code: 'asset_not_found' });
  });

  test('an asset must not be empty and is limited to 10 MB', async () => {
    const { save, wallet, assets } = await given();
    await expect(save('a', Buffer.alloc(0))).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(save('a', Buffer.alloc(ASSET_BYTES_MAX + 1))).rejects.toMatchObject({
      code: 'asset_too_large',
    });
    await expect(save('a', HELLO, { big: 'x'.repeat(70_000) })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: 'metadata' }] },
    });
    expect((await assets.use(wallet)).usedBytes).toBe(0);
  });

  test('concurrent saves fill the quota of a wallet and never exceed it', async () => {
    const { assets, wallet, save, folder } = await given();
    const bytes = Buffer.alloc(ASSET_BYTES_MAX, 1);
    const tries = await Promise.allSettled(
      Array.from({ length: 14 }, (_, index) => save(`k${index}`, bytes)),
    );
    const refusals = tries.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refusals).toEqual(Array(4).fill('storage_quota_exceeded'));
    expect(await assets.use(wallet)).toEqual({
      usedBytes: WALLET_STORAGE_BYTES_MAX,
      limitBytes: WALLET_STORAGE_BYTES_MAX,
      earlierBytes: 0,
    });
    await expect(save('one more', Buffer.from('never written'))).rejects.toMatchObject({
      code: 'storage_quota_exceeded',
      status: 413,
    });
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('in a full wallet an asset can be replaced by another of the same size', async () => {
    const { assets, wallet, save } = await given();
    for (let index = 0; index < 10; index += 1) await save(`k${index}`, Buffer.alloc(10 * MB, 1));
    expect(await save('k0', Buffer.alloc(10 * MB, 2))).toMatchObject({ overwritten: true });
    await expect(save('k1', Buffer.alloc(10 * MB + 1))).rejects.toMatchObject({ code: 'asset_too_large' });
    expect((await assets.use(wallet)).usedBytes).toBe(WALLET_STORAGE_BYTES_MAX);
  });

  test('concurrent saves and deletes of one key keep the storage counter correct', async () => {
    const { assets, wallet, save } = await given();
    const work = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 2 ? assets.remove(wallet, 'a').catch(() => {}) : save('a', Buffer.alloc(index + 1)),
    );
    await Promise.all(work);
    const { totalBytes } = await assets.list(wallet, { prefix: '', limit: 10 });
    expect((await assets.use(wallet)).usedBytes).toBe(totalBytes);
  });

  test('the database enforces the same limits as the code', async () => {
    const { assets, wallet, save } = await given();
    await save('a');
    const [row] = await database.query(
      'select limit_bytes, limit_count from asset_storage where wallet = $1',
      [wallet],
    );
    expect(row).toEqual({ limit_bytes: WALLET_STORAGE_BYTES_MAX, limit_count: 10_000 });
    expect((await assets.use(wallet)).limitBytes).toBe(WALLET_STORAGE_BYTES_MAX);
  });

  test('the number of assets in a wallet is limited', async () => {
    const { wallet, save } = await given();
    await save('a');
    await database.query('update asset_storage set limit_count = 2 where wallet = $1', [wallet]);
    await save('b');
    await expect(save('c')).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    expect(await save('b', Buffer.from('again'))).toMatchObject({ overwritten: true });
  });

  test('bytes corrupted on disk are not served', async () => {
    const { assets, wallet, save, folder } = await given();
    await save('a');
    await writeFile(join(folder, '2c', 'f2', HELLO_SHA256), 'hellO');
    await expect(assets.open(wallet, 'a')).rejects.toMatchObject({
      code: 'stored_file_damaged',
      message: expect.stringContaining('damaged'),
    });
  });

  test('cleanup deletes blobs that no asset references', async () => {
    const { assets, wallet, save, blobs } = await given();
    await save('kept');
    await save('shared');
    const { asset } = await save('gone', Buffer.from('gone'));
    await assets.remove(wallet, 'shared');
    await assets.remove(wallet, 'gone');
    const [gone] = await assets.trash(wallet, { limit: 1 });
    await assets.purge(wallet, gone!.id);
    const removed = await blobs.sweep((names) => blobsInUse(database, names), new Date(Date.now() + 1000));
    expect(removed).toBe(1);
    await expect(blobs.get(asset.sha256)).rejects.toMatchObject({ code: 'stored_file_damaged' });
    expect((await assets.open(wallet, 'kept')).bytes).toHaveLength(5);
  });

  test('a signed link is valid for one wallet and key only', async () => {
    const { assets, wallet } = await given();
    const link = assetLinkIn(new URL(assets.linkTo(wallet, 'a&b=/猫').url).searchParams);
    expect(link.key).toBe('a&b=/猫');
    expect(await assets.verifyLink(link)).toBe(true);
    expect(await assets.verifyLink({ ...link, key: 'other' })).toBe(false);
    expect(await assets.verifyLink({ ...link, wallet: newWallet() })).toBe(false);
  });

  test('a one-year link is signed in every part and becomes invalid when its asset is deleted', async () => {
    const { assets, save, wallet } = await given();
    const { asset } = await save('photo.png');
    const { url, expiresAt } = assets.lastingLinkTo(wallet, asset, { days: 365 });
    const link = assetLinkIn(new URL(url).searchParams);
    expect(Math.round((expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(365);
    expect(await assets.verifyLink(link)).toBe(true);
    const later = String(Number(link.exp) + 86_400);
    for (const forged of [
      { exp: later },
      { from: '1' },
      { made: '1' },
      { by: 'key_1' },
      { from: '', made: '' },
    ])
      expect(await assets.verifyLink({ ...link, ...forged })).toBe(false);
    await assets.remove(wallet, 'photo.png');
    await save('photo.png', Buffer.from('another picture'));
    expect(await assets.verifyLink(link)).toBe(false);
  });

  test('a one-year link created by a key expires when the key is revoked', async () => {
    const { assets, save, wallet, keysInForce } = await given();
    const { asset } = await save('photo.png');
    keysInForce.add('key_1');
    const link = assetLinkIn(
      new URL(assets.lastingLinkTo(wallet, asset, { days: 365, keyId: 'key_1' }).url).searchParams,
    );
    expect(await assets.verifyLink(link)).toBe(true);
    expect(await assets.verifyLink({ ...link, by: '' })).toBe(false);
    keysInForce.clear();
    expect(await assets.verifyLink(link)).toBe(false);
  });
});
