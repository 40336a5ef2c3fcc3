import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { newOwner, type Owner } from './support/owner.ts';
import { plainImage } from './support/workspace_calls.ts';

forEachApp((open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app?.close());

  const save = (owner: Owner, key: string, text: string) => {
    const data = Buffer.from(text).toString('base64');
    const body = { wallet: owner.wallet, key, data, content_type: 'text/plain' };
    return app.post('/api/tools/save_asset', body, owner.bare);
  };
  const archiveOf = async (from: TestApp, header: Record<string, string>) => {
    const response = await from.fetch(
      new Request('http://atelier.test/api/wallet/export', { headers: header }),
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
    return Buffer.from(await response.arrayBuffer());
  };
  const importInto = async (to: TestApp, archive: Buffer, header: Record<string, string>, query = '') => {
    const request = { method: 'POST', headers: header, body: new Uint8Array(archive) };
    const response = await to.fetch(new Request(`http://atelier.test/api/wallet/import${query}`, request));
    // biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
    return { status: response.status, body: (await response.json()) as any };
  };
  async function ownerWithThings() {
    const owner = await newOwner(app);
    for (const [key, text] of [
      ['a/note.txt', 'one'],
      ['a/note.txt', 'two'],
      ['b', 'three'],
    ] as const)
      expect((await save(owner, key, text)).status).toBe(200);
    await app.post('/api/cafe/post', { name: 'Ada', message: 'Hello from Ada', wallet: owner.wallet });
    await owner.makeKey({ name: 'my agent' });
    return owner;
  }

  test('a wallet moves to another server with its data, without its credits', async () => {
    const owner = await ownerWithThings();
    const archive = await archiveOf(app, await owner.signIn());
    const [{ kid }] = (await app.get('/.well-known/jwks.json')).body.keys;
    const there = await openTestApp({ IMPORT_KEYS: kid });
    try {
      const { message } = (await there.post('/api/wallet/challenge', { wallet: owner.wallet })).body;
      const signature = await owner.account.signMessage({ message });
      const { token } = (await there.post('/api/wallet/session', { message, signature })).body;
      const header = { Authorization: `Bearer ${token}` };
      const { body } = await importInto(there, archive, header);
      expect(body).toMatchObject({
        wallet: owner.wallet,
        trusted_by: 'operator',
        skipped: 0,
        versions: 1,
        records: 3,
      });
      const { body: list } = await there.post('/api/tools/list_assets', { wallet: owner.wallet });
      const keys = list.assets.map(({ key }: { key: string }) => key);
      expect(keys.filter((key: string) => !key.startsWith('imported/'))).toEqual(['a/note.txt', 'b']);
      expect(keys.map((key: string) => key.split('/').at(-1))).toEqual(
        expect.arrayContaining(['receipts-0001.jsonl', 'posts-0001.jsonl', 'keys-0001.jsonl']),
      );
      const records = keys.filter((key: string) => key.startsWith('imported/'));
      const texts = await Promise.all(
        records.map(async (key: string) => {
          const { body: got } = await there.post('/api/tools/get_asset', { wallet: owner.wallet, key });
          return Buffer.from(got.data, 'base64').toString();
        }),
      );
      expect(texts.join('')).toContain('my agent');
      expect(texts.join('')).not.toContain('atl_key_');
      expect((await there.post('/api/tools/check_balance', { wallet: owner.wallet })).body).toMatchObject({
        registered: true,
        // The welcome bonus of its first sign-in there.
        balance: 10,
      });
      expect((await importInto(there, archive, header)).body).toMatchObject({ assets: 0, unchanged: 5 });
    } finally {
      await there.close();
    }
  });

  test('its workspaces open under the same paths there, with their history', async () => {
    const owner = await newOwner(app);
    const session = await owner.signIn();
    const { workspace_id: workspace } = (
      await app.post('/api/tools/open_workspace', { title: 'Mugs' }, owner.bare)
    ).body;
    const address = `/api/workspaces/${workspace}`;
    const image = await plainImage(120);
    await app.post('/api/tools/resize_image', { image, width: 3, height: 2, workspace }, owner.bare);
    const archive = await archiveOf(app, session);
    await app.fetch(new Request(`http://atelier.test${address}`, { method: 'DELETE', headers: owner.bare }));
    expect((await app.get(address, owner.bare)).status).toBe(404);
    const { body } = await importInto(app, archive, session);
    expect(body).toMatchObject({ workspaces: 1, workspaces_unchanged: 0 });
    const read = (await app.get(address, owner.bare)).body;
    expect(read.items.map(({ item, width }: { item: number; width: number }) => [item, width])).toEqual([
      [1, 60],
      [2, 3],
    ]);
    expect(read.acts[0]).toMatchObject({ tool: 'resize_image', outputs: [2] });
  });

  test('the archive is one that tar reads, and comes back to the same server', async () => {
    const owner = await ownerWithThings();
    const header = await owner.signIn();
    const archive = await archiveOf(app, header);
    const folder = mkdtempSync(join(tmpdir(), 'atelier-leaving-'));
    writeFileSync(join(folder, 'wallet.tar'), archive);
    const names = execFileSync('tar', ['tf', 'wallet.tar'], { cwd: folder }).toString().trim().split('\n');
    rmSync(folder, { recursive: true });
    expect(names.slice(0, 2)).toEqual(['manifest.json', 'signature.jws']);
    expect(names.filter((name) => name.startsWith('files/'))).toHaveLength(3);
    await app.post('/api/tools/delete_asset', { wallet: owner.wallet, key: 'b' });
    expect((await importInto(app, archive, header)).body).toMatchObject({
      trusted_by: 'this_server',
      assets: 4,
      unchanged: 1,
    });
  });

  test('export, import and closing need a session of the owner, and the archive its own wallet', async () => {
    const [owner, other] = [await ownerWithThings(), await newOwner(app)];
    const { header: byKey } = await owner.makeKey({ scopes: ['assets:read', 'account:read'] });
    for (const header of [{}, owner.bare, byKey]) {
      expect([401, 403]).toContain((await app.get('/api/wallet/export', header)).status);
      expect([401, 403]).toContain((await importInto(app, Buffer.from('x'), header)).status);
      expect([401, 403]).toContain((await app.post('/api/wallet/close', { dry_run: false }, header)).status);
    }
    const archive = await archiveOf(app, await owner.signIn());
    const session = await other.signIn();
    expect((await importInto(app, archive, session)).body.code).toBe('wallet_mismatch');
    const broken = await importInto(app, archive.subarray(0, -2000), session);
    expect(broken.body).toMatchObject({ status: 403, code: 'wallet_mismatch' });
    expect((await importInto(app, Buffer.from('not a tar'), session)).body).toMatchObject({
      status: 422,
      code: 'archive_invalid',
    });
  });

  test('a dry run of closing reports the effects without changes; then closing applies them', async () => {
    const owner = await ownerWithThings();
    const session = await owner.signIn();
    const { header: byKey } = await owner.makeKey();
    const url = 'https://example.org/hook';
    await app.post('/api/webhooks/register', { url }, owner.bare);
    const { body: told } = await app.post('/api/wallet/close', {}, session);
    const counts = {
      keys_revoked: 2,
      sessions_ended: 3,
      assets_trashed: 2,
      webhooks_ended: 1,
      posts_hidden: 1,
    };
    expect(told).toMatchObject({ closed: false, balance: 7.15, ...counts });
    expect((await app.get('/api/cafe/feed')).text).toContain('Hello from Ada');
    expect((await app.get('/api/wallet', byKey)).status).toBe(200);
    const { body: done } = await app.post('/api/wallet/close', { dry_run: false }, session);
    expect({ ...done, purge_at: 0 }).toEqual({ ...told, closed: true, purge_at: 0 });
    expect((await app.get('/api/cafe/feed')).text).not.toContain(owner.wallet);
    expect((await app.get('/api/wallet', byKey)).status).toBe(401);
    expect((await app.get('/api/wallet/export', session)).status).toBe(401);
    expect((await save(owner, 'c', 'x')).body.code).toBe('wallet_blocked');
    expect((await app.get('/api/ledger/invariants')).body.balanced).toBe(true);
  });

  test('only the owner of a closed wallet can reopen it and restore its content', async () => {
    const owner = await ownerWithThings();
    await app.post('/api/wallet/close', { dry_run: false }, await owner.signIn());
    const session = await owner.signIn();
    expect((await app.post('/api/wallet/reopen', {}, owner.bare)).status).toBe(401);
    expect((await app.post('/api/wallet/reopen', {}, session)).body).toMatchObject({ reopened: true });
    expect((await app.post('/api/wallet/reopen', {}, session)).body.code).toBe('not_found');
    const { trash } = (await app.get(`/api/assets/trash?wallet=${owner.wallet}`)).body;
    expect(trash).toHaveLength(2);
    for (const { id } of trash) await app.post('/api/assets/restore', { wallet: owner.wallet, id }, session);
    expect((await app.post('/api/tools/list_assets', { wallet: owner.wallet })).body.count).toBe(2);
    expect((await save(owner, 'c', 'x')).status).toBe(200);
  });
});
