import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { Database } from '../../core/database/types.ts';
import { createBlobs } from '../../core/storage/blobs/blobs.ts';
import { createFileObjects } from '../../core/storage/objects/file_objects.ts';
import { blobsInUse } from '../operator/backups/blobs_in_use.ts';
import { createWallets } from '../wallets/wallets.ts';
import { createArchive } from './service.ts';

const WALLET = `0x${'ab'.repeat(20)}`;
const { signal } = new AbortController();
const FILE = {
  bytes: Buffer.from('hello world'),
  contentType: 'text/plain',
  metadata: { title: 'Hello' },
  signal,
};
const CONTENT = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
const publicUrl = 'https://atelier.test';

async function given(database: Database) {
  const blobs = createBlobs(createFileObjects(await mkdtemp(join(tmpdir(), 'atelier-archive-'))));
  const wallets = createWallets(database);
  await wallets.register(WALLET);
  let calls = 0;
  const hold = () =>
    wallets.hold({
      id: `call_${calls++}`,
      wallet: WALLET,
      amount: 1,
      tool: 'store_permanent',
      expiresAt: new Date(Date.now() + 60_000),
    });
  const logged = async () =>
    (
      await database.query<{ entry: string }>(`select entry from log_pending where entry like 'archive:%'`)
    ).map(({ entry }) => entry);
  return { archive: createArchive({ database, blobs, publicUrl }), wallets, hold, logged };
}

forEachDatabase((_name, open) => {
  test('a file is found by the CID of its content, and its record by its own CID', async () => {
    const database = await open();
    const { archive, hold, wallets } = await given(database);
    const paying = await hold();
    const entry = await archive.put({ ...FILE, hold: paying.id });
    await wallets.settle(paying);
    expect(entry).toMatchObject({
      url: `${publicUrl}/ipfs/${CONTENT}`,
      provenanceUri: `${publicUrl}/ipfs/${entry.tx}`,
    });
    const file = (await archive.open(CONTENT)) as { blob: Blob; contentType: string };
    expect([await file.blob.text(), file.contentType]).toEqual(['hello world', 'text/plain']);
    const { record } = (await archive.open(entry.tx)) as { record: string };
    expect(JSON.parse(record)).toMatchObject({
      content: { '/': CONTENT },
      metadata: { title: 'Hello' },
    });
    expect(
      Buffer.concat(await Array.fromAsync((await archive.exportCar(entry.tx))!())).includes('hello world'),
    ).toBe(true);
    expect(await blobsInUse(database, [entry.sha256, 'x'])).toEqual(new Set([entry.sha256]));
  });

  test('storing the same file and metadata twice returns one entry; other metadata creates another', async () => {
    const { archive, hold, wallets, logged } = await given(await open());
    const [one, two] = [await hold(), await hold()];
    const entries = await Promise.all([one, two].map(({ id }) => archive.put({ ...FILE, hold: id })));
    expect(entries[0]).toEqual(entries[1]);
    expect(entries[0]!.wasKept).toBe(false);
    await wallets.settle(one);
    await wallets.settle(two);
    const later = await hold();
    expect(await archive.put({ ...FILE, hold: later.id })).toEqual({ ...entries[0], wasKept: true });
    await wallets.release(later);
    const other = await archive.put({ ...FILE, metadata: {} });
    expect(other.url).toBe(entries[0]!.url);
    expect(await logged()).toEqual([`archive:${entries[0]!.tx}`, `archive:${other.tx}`]);
  });

  test('an unpaid entry is deleted, unless another client paid for it', async () => {
    const { archive, hold, wallets, logged } = await given(await open());
    const [failing, paying] = [await hold(), await hold()];
    const { tx } = await archive.put({ ...FILE, hold: failing.id });
    await wallets.release(failing);
    expect([await archive.open(tx), await logged()]).toEqual([undefined, []]);
    const again = await hold();
    await archive.put({ ...FILE, hold: again.id });
    await archive.put({ ...FILE, hold: paying.id });
    await wallets.release(again);
    await wallets.settle(paying);
    expect([(await archive.open(tx)) !== undefined, await logged()]).toEqual([true, [`archive:${tx}`]]);
  });

  test('a call whose credits were already released cannot store anything', async () => {
    const { archive, hold, wallets } = await given(await open());
    const late = await hold();
    await wallets.release(late);
    await expect(archive.put({ ...FILE, hold: late.id })).rejects.toMatchObject({
      constraint: 'asset_hold_is_open',
    });
    expect(await archive.open(CONTENT)).toBeUndefined();
  });

  test('archive entries cannot be deleted', async () => {
    const database = await open();
    const { archive } = await given(database);
    await archive.put(FILE);
    await expect(database.query('delete from archive_entries')).rejects.toThrow('what is archived stays');
  });
});

test.each(['', 'x', '../../etc/passwd', CONTENT.toUpperCase(), `${CONTENT}'`])(
  'unknown CID %j returns nothing',
  async (cid) => {
    const archive = createArchive({ database: undefined as never, blobs: undefined as never, publicUrl });
    expect([await archive.open(cid), await archive.exportCar(cid)]).toEqual([undefined, undefined]);
  },
);
