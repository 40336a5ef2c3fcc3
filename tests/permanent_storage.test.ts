import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arweaveSettings, type FakeArweave, startFakeArweave } from './support/fake_arweave.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { toppedUp } from './support/topped_up.ts';

/** store_permanent as callers pay for it: 15 credits for what is kept anew, nothing for what is kept already or was not taken. */

const WALLET = `0x${'7'.repeat(40)}`;
const BY = { Authorization: `Bearer ${WALLET}` };
const HELLO = { data: Buffer.from('hello').toString('base64'), content_type: 'text/plain' };

const folder = mkdtempSync(join(tmpdir(), 'atelier-permanent-'));
let fake: FakeArweave;
let settings: Record<string, string>;
beforeAll(async () => {
  fake = await startFakeArweave();
  settings = arweaveSettings(fake, folder);
});
afterAll(async () => {
  await fake.close();
  rmSync(folder, { recursive: true });
});

forEachApp((open) => {
  describe.each(['archive', 'arweave'] as const)('in the store %s', (store) => {
    let app: TestApp;
    const path = (uri: string) =>
      store === 'archive' ? new URL(uri).pathname : `/ar/${uri.split('/').at(-1)}`;
    const keep = (more: object = {}) => app.post('/api/tools/store_permanent', { ...HELLO, ...more }, BY);
    const spent = async () =>
      (await app.post('/api/tools/check_balance', { wallet: WALLET })).body.totals.spent;
    beforeAll(async () => {
      app = await open(store === 'arweave' ? settings : {});
      await toppedUp(app.post, WALLET);
    });
    afterAll(() => app?.close());

    test('it is charged once, names its store, and resolves', async () => {
      const { status, body } = await keep();
      const again = await keep();
      expect([status, body.store, body.cost.credit]).toEqual([200, store, 15]);
      expect(again.body).toMatchObject({
        permanent_storage_tx: body.permanent_storage_tx,
        cost: { credit: 0, note: expect.stringContaining('already stored') },
      });
      expect(await spent()).toBe(15);
      const [record, file] = [await app.get(path(body.provenance_uri)), await app.get(path(body.url))];
      expect(JSON.parse(record.text)).toMatchObject({ sha256: body.sha256 });
      expect([file.text, file.headers.get('content-type')]).toEqual(['hello', 'text/plain']);
    });

    test('metadata that cannot be stored is rejected without a charge', async () => {
      const before = await spent();
      const { status } = await keep({ metadata: { half: '\ud800' } });
      expect([status, await spent()]).toEqual([400, before]);
    });
  });

  test('a failed bundler upload fails the call: nothing is charged or stored locally', async () => {
    const app = await open(settings);
    await toppedUp(app.post, WALLET);
    fake.faults.push(503);
    const failed = await app.post('/api/tools/store_permanent', { ...HELLO, metadata: { n: 1 } }, BY);
    const { body } = await app.post('/api/tools/check_balance', { wallet: WALLET });
    expect([failed.status, failed.body.code, body.totals.spent, body.held]).toEqual([
      502,
      'upstream_failed',
      0,
      0,
    ]);
    expect((await app.get('/ipfs/bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq')).status).toBe(
      404,
    );
    await app.close();
  });
});
