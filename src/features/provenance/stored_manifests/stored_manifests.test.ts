import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { holdFor } from '../../../../tests/support/hold_for.ts';
import type { Database } from '../../../core/database/types.ts';
import { blobsInUse } from '../../operator/backups/blobs_in_use.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { MADE_MANIFESTS_MAX, MANIFEST_STORE_BYTES_MAX } from './limits.ts';
import { createStoredManifests } from './stored_manifests.ts';
import type { NewManifest } from './types.ts';

const WALLET = '0x00000000000000000000000000000000000000a1';
const OTHER = '0x00000000000000000000000000000000000000b2';
const HASH = `hash_${'1'.repeat(24)}`;
const MARK = 'abcdef012345';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const manifest = (more: Partial<NewManifest> = {}): NewManifest => ({
  id: 'urn:c2pa:1',
  store: Buffer.from('a store'),
  wallet: WALLET,
  isOurs: false,
  ...more,
});

function given(database: Database, bounds: { bytesMax?: number; foreignMax?: number } = {}) {
  const files = new Map<string, Uint8Array>();
  const blobs = {
    put: async (bytes: Uint8Array) => {
      files.set(sha256Of(bytes), bytes);
      return sha256Of(bytes);
    },
    get: async (sha256: string) => files.get(sha256)!,
  };
  return { files, kept: createStoredManifests({ database, blobs, ...bounds }) };
}

forEachDatabase((_name, open) => {
  test('a manifest store is found by identifier, registration and watermark, and returned byte for byte', async () => {
    const database = await open();
    const { kept } = given(database);
    const store = Buffer.from([0, 255, 1, 254]);
    const made = await kept.keep(manifest({ store, boundTo: HASH, markId: MARK, isOurs: true }));

    expect(made).toMatchObject({ id: 'urn:c2pa:1', sha256: sha256Of(store), sizeBytes: 4, isOurs: true });
    for (const found of [await kept.find('urn:c2pa:1'), ...(await kept.ofLookalikes(['x', HASH]))])
      expect(await kept.bytesOf(found!)).toEqual(store);
    expect(await kept.ofMark(MARK)).toEqual([made]);
    expect([await kept.find('urn:c2pa:2'), await kept.find('urn:c2pa:1', sha256Of(Buffer.of()))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await blobsInUse(database, [made.sha256, 'x'])).toEqual(new Set([made.sha256]));
  });

  test('concurrent requests save the same store once per wallet and merge new data', async () => {
    const { kept } = given(await open());
    await Promise.all(Array.from({ length: 10 }, () => kept.keep(manifest({ boundTo: HASH }))));
    await kept.keep(manifest({ markId: MARK, boundTo: 'hash_2' }));
    await kept.keep(manifest({ wallet: undefined }));
    await kept.keep(manifest({ wallet: undefined }));

    expect(await kept.ofMark(MARK)).toMatchObject([{ boundTo: HASH, markId: MARK }]);
    expect(await kept.remove(WALLET, 'urn:c2pa:1')).toBe(1);
    expect(await kept.find('urn:c2pa:1')).toMatchObject({ markId: null });
  });

  test('a store is found by any form of its declared soft binding until withdrawn', async () => {
    const { kept } = given(await open());
    const softBindings = [{ alg: 'com.example.mark', value: '2*0110' }];
    const made = await kept.keep(manifest({ softBindings }));
    await kept.keep(manifest({ softBindings }));

    expect(await kept.ofBinding('com.example.mark', ['x', '2*0110'])).toEqual([made]);
    expect(await kept.ofBinding('com.example.other', ['2*0110'])).toEqual([]);
    await kept.remove(WALLET, made.id);
    expect(await kept.ofBinding('com.example.mark', ['2*0110'])).toEqual([]);
  });

  test('among stores with the same identifier ours ranks first, then the earliest; each is addressable', async () => {
    const { kept } = given(await open());
    const early = await kept.keep(manifest({ store: Buffer.from('early') }));
    const late = await kept.keep(manifest({ store: Buffer.from('late'), wallet: OTHER }));
    expect(await kept.find('urn:c2pa:1')).toEqual(early);
    const ours = await kept.keep(manifest({ store: Buffer.from('ours'), isOurs: true }));

    expect(await kept.find('urn:c2pa:1')).toEqual(ours);
    expect(await kept.find('urn:c2pa:1', late.sha256)).toEqual(late);
  });

  test('a stored manifest expires with its unpaid hold and enters the log once paid', async () => {
    const database = await open();
    const [{ kept }, wallets] = [given(database), createWallets(database)];
    await wallets.register(WALLET);
    const hold = holdFor(wallets, WALLET, 'register_hash');
    const [first, second] = [await hold('call_1'), await hold('call_2')];
    await kept.keep(manifest({ hold: 'call_1' }));
    const paid = await kept.keep(manifest({ id: 'urn:c2pa:2', store: Buffer.from('paid'), hold: 'call_2' }));
    expect(await kept.remove(WALLET, 'urn:c2pa:2')).toBe(0);
    await wallets.release(first);
    await wallets.settle(second);

    expect(await kept.find('urn:c2pa:1')).toBeUndefined();
    expect(await kept.find('urn:c2pa:2')).toEqual(paid);
    const logged = await database.query<{ entry: string }>(
      `select entry from log_pending where entry like 'manifest:%'`,
    );
    expect(logged).toEqual([{ entry: `manifest:${paid.sha256}` }]);
  });

  test.each([
    ['one that is too large', {}, { store: Buffer.alloc(MANIFEST_STORE_BYTES_MAX + 1) }, 'payload_too_large'],
    ['one more for a full wallet', { foreignMax: 1 }, {}, 'storage_quota_exceeded'],
    ['one more for a full server', { bytesMax: 8 }, { wallet: OTHER }, 'storage_full'],
  ])('%s is rejected, but storing the same manifest again is not', async (_what, bounds, more, code) => {
    const { kept, files } = given(await open(), bounds);
    await kept.keep(manifest());
    await kept.keep(manifest());
    const another = manifest({ id: 'urn:c2pa:2', store: Buffer.from('another'), ...more });

    await expect(kept.keep(another)).rejects.toMatchObject({ code });
    expect(files.size).toBe(1);
  });

  test('derived manifests rank last, are limited in number, and are deleted with their parent', async () => {
    const { kept } = given(await open());
    const parent = await kept.keep(manifest({ boundTo: HASH }));
    const made = (at: number) =>
      kept.keep(
        manifest({
          id: `urn:c2pa:made_${at}`,
          store: Buffer.from(`made ${at}`),
          isOurs: true,
          boundTo: HASH,
          madeFrom: parent.sha256,
        }),
      );
    for (let at = 0; at < MADE_MANIFESTS_MAX; at++) await made(at);
    const later = await kept.keep(
      manifest({ id: 'urn:c2pa:later', store: Buffer.from('x'), wallet: OTHER, boundTo: HASH }),
    );

    await expect(made(MADE_MANIFESTS_MAX)).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    expect((await kept.ofLookalikes([HASH])).slice(0, 2)).toEqual([parent, later]);
    expect(await kept.remove(WALLET, parent.id)).toBe(1 + MADE_MANIFESTS_MAX);
    expect(await kept.ofLookalikes([HASH])).toEqual([later]);
  });

  test('a wallet lists only its own paid manifests', async () => {
    const database = await open();
    const [{ kept }, wallets] = [given(database), createWallets(database)];
    await wallets.register(WALLET);
    const { sha256 } = await kept.keep(manifest());
    const unpaid = await wallets.hold({
      id: 'call_3',
      wallet: WALLET,
      amount: 1000,
      tool: 'register_hash',
      expiresAt: new Date(Date.now() + 60_000),
    });
    const held = await kept.keep(manifest({ store: Buffer.from('held'), hold: 'call_3' }));

    expect(await kept.findOf(WALLET, sha256)).toMatchObject({ sha256 });
    expect([await kept.findOf(OTHER, sha256), await kept.findOf(WALLET, held.sha256)]).toEqual([
      undefined,
      undefined,
    ]);
    await wallets.release(unpaid);
  });

  test('a wallet at its limit for third-party manifests still stores manifests signed by this server', async () => {
    const { kept } = given(await open(), { foreignMax: 0 });
    await expect(kept.keep(manifest())).rejects.toMatchObject({ code: 'storage_quota_exceeded' });
    expect(await kept.keep(manifest({ isOurs: true }))).toMatchObject({ isOurs: true });
  });
});
