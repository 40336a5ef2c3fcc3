import { beforeEach, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { holdFor } from '../../../tests/support/hold_for.ts';
import type { Database } from '../../core/database/types.ts';
import { blobsInUse } from '../operator/backups/blobs_in_use.ts';
import type { Wallets } from '../wallets/types.ts';
import { createWallets } from '../wallets/wallets.ts';
import { createAssets } from './assets.ts';
import type { Assets } from './types.ts';

/** A save stays exactly when its call is charged. */

const WALLET = `0x${'a'.repeat(40)}`;
const LATER = new Date(Date.now() + 3_600_000);

forEachDatabase((_name, open) => {
  let database: Database;
  let wallets: Wallets;
  let assets: Assets;
  const stored = new Map<string, Uint8Array>();
  beforeEach(async () => {
    database = await open();
    wallets = createWallets(database);
    assets = createAssets({
      database,
      blobs: MEMORY(stored),
      links: NO_LINKS,
      lockedAt: async () => undefined,
      isKeyInForce: async () => false,
    });
    await wallets.register(WALLET);
  });
  const hold = (id: string) => holdFor(wallets, WALLET, 'save_asset')(id);
  const save = (text: string, more: { hold?: string; key?: string } = {}) =>
    assets.save({
      wallet: WALLET,
      key: 'note',
      bytes: new TextEncoder().encode(text),
      contentType: 'text/plain',
      ...more,
    });
  const texts = async () => {
    const { assets: all } = await assets.list(WALLET, { prefix: '', limit: 10 });
    const read = async (key: string) => new TextDecoder().decode((await assets.open(WALLET, key)).bytes);
    return Promise.all(all.map(({ key }) => read(key)));
  };
  const used = async () => (await assets.use(WALLET)).usedBytes;

  test('after a charge, the saved asset stays', async () => {
    const held = await hold('one');
    await save('new', { hold: 'one' });
    await wallets.settle(held);
    await wallets.expireHolds(LATER);
    expect(await texts()).toEqual(['new']);
  });

  test.each([
    ['given back', async () => wallets.release({ id: 'one' })],
    ['expired', async () => wallets.expireHolds(LATER)],
    ['voided after a restart', async () => wallets.expireHolds(new Date(), true)],
  ])('when the hold is %s, a new asset is deleted and its storage freed', async (_how, end) => {
    await hold('one');
    await save('new', { hold: 'one' });
    await end();
    expect([await texts(), await used()]).toEqual([[], 0]);
  });

  test('when the hold is released, the previous asset is restored with its bytes and version', async () => {
    await save('old');
    const before = (await assets.list(WALLET, { prefix: '', limit: 1 })).assets;
    const held = await hold('one');
    await save('newer and longer', { hold: 'one' });
    const inUse = await blobsInUse(database, [...stored.keys()]);
    await wallets.release(held);
    expect(inUse.size).toBe(2);
    expect([await texts(), await used()]).toEqual([['old'], 3]);
    expect((await assets.list(WALLET, { prefix: '', limit: 1 })).assets).toEqual(before);
  });

  describe('saved again under the same hold, as by a retried job', () => {
    test('when the hold is released, the asset from before the first save is restored', async () => {
      await save('old');
      const held = await hold('one');
      await save('new', { hold: 'one' });
      await save('newer', { hold: 'one' });
      await wallets.release(held);
      expect([await texts(), await used()]).toEqual([['old'], 3]);
    });

    test('after settlement the result is the same as for a single save', async () => {
      const held = await hold('one');
      const first = await save('new', { hold: 'one' });
      const second = await save('new', { hold: 'one' });
      await wallets.settle(held);
      expect([first.overwritten, second.overwritten]).toEqual([false, false]);
      expect(await texts()).toEqual(['new']);
    });

    test('after a refund, a file saved by another call in the meantime remains', async () => {
      const [first, second] = [await hold('one'), await hold('two')];
      await save('first', { hold: 'one' });
      await save('second', { hold: 'two' });
      await wallets.settle(second);
      await save('first', { hold: 'one' });
      await wallets.release(first);
      expect(await texts()).toEqual(['second']);
    });

    test('when the hold is released, an asset deleted in the meantime stays deleted', async () => {
      await save('old');
      const held = await hold('one');
      await save('new', { hold: 'one' });
      await assets.remove(WALLET, 'note');
      await save('new', { hold: 'one' });
      await wallets.release(held);
      expect([await texts(), await used()]).toEqual([[], 0]);
    });
  });

  test('releasing a hold does not undo a later paid save', async () => {
    const [first, second] = [await hold('one'), await hold('two')];
    await save('first', { hold: 'one' });
    await save('second', { hold: 'two' });
    await wallets.settle(second);
    await wallets.release(first);
    expect(await texts()).toEqual(['second']);
  });

  test('a save after its credits were released is rejected', async () => {
    await wallets.release(await hold('one'));
    await expect(save('late', { hold: 'one' })).rejects.toThrow('hold:one is not open');
    expect(await texts()).toEqual([]);
  });

  test('credits are released even if the previous bytes no longer fit the quota', async () => {
    await save('old and long');
    const held = await hold('one');
    await save('x', { hold: 'one' });
    await database.query('update asset_storage set limit_bytes = 5 where wallet = $1', [WALLET]);
    await wallets.release(held);
    expect((await wallets.find(WALLET))?.held).toBe(0);
    expect(await texts()).toEqual(['x']);
  });

  test('concurrent saves, settlements and releases leave only charged assets', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `call ${index}`);
    const holds = await Promise.all(ids.map(hold));
    await Promise.allSettled(
      holds.map(async (held, index) => {
        const saving = save(held.id, { hold: held.id, key: held.id });
        if (index % 2 === 1) return Promise.allSettled([saving, wallets.release(held)]);
        await saving;
        return wallets.settle(held);
      }),
    );
    await wallets.expireHolds(LATER);
    expect((await texts()).sort()).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect((await wallets.audit()).problems).toEqual([]);
  });
});

const NO_LINKS = {} as Parameters<typeof createAssets>[0]['links'];

const MEMORY = (stored: Map<string, Uint8Array>): Parameters<typeof createAssets>[0]['blobs'] => ({
  put: async (bytes) => {
    const name = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
    stored.set(name, bytes);
    return name;
  },
  get: async (name) => stored.get(name)!,
  open: async (name) => new Blob([stored.get(name)! as Uint8Array<ArrayBuffer>]),
  sweep: async () => 0,
});
