import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newOwner, type Owner } from './support/owner.ts';

forEachApp((open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app?.close());

  const saveAs = (owner: Owner, text: string, header: Record<string, string> = owner.bare) => {
    const data = Buffer.from(text).toString('base64');
    const body = { wallet: owner.wallet, key: 'a/note.txt', data, content_type: 'text/plain' };
    return app.post('/api/tools/save_asset', body, header);
  };
  const query = ({ wallet }: Owner) => `wallet=${wallet}&key=${encodeURIComponent('a/note.txt')}`;

  test('versions and deleted assets are listed, read, restored and purged', async () => {
    const owner = await newOwner(app);
    for (const text of ['one', 'two']) expect((await saveAs(owner, text)).status).toBe(200);
    const { body } = await app.get(`/api/assets/versions?${query(owner)}`);
    expect(body).toMatchObject({
      current: { size_bytes: 3 },
      versions: [{ deleted: false, purge_at: null }],
    });
    const path = `/api/assets/versions/${body.versions[0].id}?wallet=${owner.wallet}`;
    expect((await app.get(path)).text).toBe('one');
    const gone = await app.post('/api/tools/delete_asset', { wallet: owner.wallet, key: 'a/note.txt' });
    expect(gone.body.storage).toMatchObject({ used_bytes: 0, earlier_bytes: 6 });
    const { trash } = (await app.get(`/api/assets/trash?wallet=${owner.wallet}`)).body;
    expect(trash).toMatchObject([{ key: 'a/note.txt', deleted: true, purge_at: expect.any(String) }]);
    const back = await app.post('/api/assets/restore', { wallet: owner.wallet, id: trash[0].id });
    expect(back.body).toMatchObject({ key: 'a/note.txt', storage: { used_bytes: 3, earlier_bytes: 3 } });
    const purged = await app.fetch(new Request(`http://atelier.test${path}`, { method: 'DELETE' }));
    expect(await purged.json()).toMatchObject({ purged: true, freed_bytes: 3 });
    expect((await app.get(path)).body.code).toBe('asset_not_found');
  });

  test('of a locked wallet all of that needs proof, and of a key the scope', async () => {
    const owner = await newOwner(app);
    for (const text of ['one', 'two']) await saveAs(owner, text);
    const { versions } = (await app.get(`/api/assets/versions?${query(owner)}`)).body;
    const session = await owner.signIn();
    const { header: reader } = await owner.makeKey({ scopes: ['assets:read'] });
    await app.post('/api/wallet/lock', {}, session);
    const restore = { wallet: owner.wallet, id: versions[0].id };
    expect((await app.get(`/api/assets/versions?${query(owner)}`, owner.bare)).body.code).toBe(
      'wallet_locked',
    );
    expect((await app.get(`/api/assets/trash?wallet=${owner.wallet}`)).body.code).toBe('wallet_locked');
    expect((await app.post('/api/assets/restore', restore, owner.bare)).body.code).toBe('wallet_locked');
    expect((await app.get(`/api/assets/versions?${query(owner)}`, reader)).status).toBe(200);
    expect((await app.post('/api/assets/restore', restore, reader)).body.code).toBe('scope_denied');
    expect((await app.post('/api/assets/restore', restore, session)).status).toBe(200);
  });
});
