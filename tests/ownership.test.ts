import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp, TestReply } from './support/open_test_app.ts';
import { bearer, newOwner, type Owner } from './support/owner.ts';

/** A wallet only its owner can use, from the outside: REST, MCP, handles, links and the gallery, on both databases. */

forEachApp((open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app?.close());

  const tool = (name: string, body: object, headers: Record<string, string> = {}): Promise<TestReply> =>
    app.post(`/api/tools/${name}`, body, headers);
  const save = (owner: Owner, headers: Record<string, string>, key = 'secret.png') =>
    tool('save_asset', { wallet: owner.wallet, key, data: EXAMPLE_PNG_B64 }, headers);
  const pathOf = (url: string): string => url.replace('http://atelier.test', '');
  const send = async (method: string, path: string, headers: Record<string, string>) => {
    const response = await app.fetch(new Request(`http://atelier.test${path}`, { method, headers }));
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  async function mcp(name: string, args: object, headers: Record<string, string> = {}) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    return (await app.post('/mcp', message, headers)).body.result;
  }

  /** An owner who has saved a picture and, unless told otherwise, locked the wallet. */
  async function lockedOwner() {
    const owner = await newOwner(app);
    const saved = await save(owner, owner.bare);
    const session = await owner.signIn();
    expect((await app.post('/api/wallet/lock', {}, session)).body).toMatchObject({ locked: true });
    return { owner, session, oldLink: pathOf(saved.body.url) };
  }

  describe('an attacker who knows the address of a locked wallet', () => {
    let locked: Awaited<ReturnType<typeof lockedOwner>>;
    beforeAll(async () => {
      locked = await lockedOwner();
    });
    const bare = () => locked.owner.bare;
    const wallet = () => locked.owner.wallet;
    const attempts: [string, () => Promise<TestReply>][] = [
      ['spends', () => save(locked.owner, bare(), 'other')],
      [
        'spends in capitals',
        () => save(locked.owner, bearer(wallet().toUpperCase().replace('0X', '0x')), 'other'),
      ],
      ['lists', () => tool('list_assets', { wallet: wallet() })],
      ['lists with the address as bearer', () => tool('list_assets', { wallet: wallet() }, bare())],
      ['reads', () => tool('get_asset', { wallet: wallet(), key: 'secret.png' })],
      ['reads in capitals', () => tool('get_asset', { wallet: wallet().toUpperCase(), key: 'secret.png' })],
      ['looks', () => tool('get_asset', { wallet: wallet(), key: 'secret.png', include_data: false })],
      ['deletes', () => tool('delete_asset', { wallet: wallet(), key: 'secret.png' })],
      ['asks whether a key exists', () => tool('get_asset', { wallet: wallet(), key: 'no such key' })],
      [
        'uses a handle',
        () => tool('resize_image', { image: 'asset:secret.png', width: 4, height: 4 }, bare()),
      ],
      ['uses a handle in capitals', () => tool('extract_palette', { image: ' ASSET:secret.png' }, bare())],
      ['opens the gallery image', () => app.get(`/api/gallery/image/${wallet()}/secret.png`)],
      ['opens it with the address', () => app.get(`/api/gallery/image/${wallet()}/secret.png`, bare())],
      ['reads the statement', () => app.get(`/api/wallet/statement?wallet=${wallet()}`)],
      ['reads it as CSV', () => app.get('/api/wallet/statement?format=csv', bare())],
    ];
    test.each(attempts)('%s: 401 wallet_locked and the way to prove', async (_what, attempt) => {
      const { status, body, headers } = await attempt();
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'wallet_locked' });
      expect(body.next_steps[0].endpoint).toBe('POST /api/wallet/challenge');
      expect(headers.get('www-authenticate')).toContain('wallet is locked');
    });

    const owners: [string, () => Promise<TestReply>][] = [
      ['unlock', () => app.post('/api/wallet/unlock', {}, bare())],
      ['lock', () => app.post('/api/wallet/lock', {}, bare())],
      ['make a key', () => app.post('/api/wallet/keys', { name: 'x' }, bare())],
      ['list keys', () => app.get('/api/wallet/keys', bare())],
      ['list keys without a bearer', () => app.get('/api/wallet/keys')],
    ];
    test.each(owners)('cannot %s', async (_what, attempt) => {
      expect((await attempt()).body).toMatchObject({ status: 401, code: 'proof_required' });
    });

    test('gets the error that it is locked, without its balance', async () => {
      for (const headers of [{}, bare()]) {
        const { status, body } = await tool('check_balance', { wallet: wallet() }, headers);
        expect(status).toBe(200);
        expect(Object.keys(body).sort()).toEqual([
          'cost',
          'locked',
          'next_steps',
          'registered',
          'unlock',
          'wallet',
        ]);
      }
    });

    test('learns no balance by registering again', async () => {
      for (const path of ['/api/wallet/register', '/api/tools/register_wallet']) {
        const { body } = await app.post(path, { wallet: wallet() });
        expect(body).toMatchObject({ already_registered: true, bonus_credits: 0 });
        expect(body).not.toHaveProperty('balance');
      }
    });

    test('learns no balance from a dry run', async () => {
      const { body } = await tool(
        'save_asset',
        { wallet: `0x${'1'.repeat(40)}`, key: 'k', data: 'YQ==', dry_run: true },
        bare(),
      );
      expect(body.quote).toEqual({ credit: 1, usd: 0.1 });
    });

    test('cannot follow a link from before the lock, nor have the server follow it', async () => {
      expect((await app.get(locked.oldLink)).status).toBe(404);
      const image = `http://atelier.test${locked.oldLink}`;
      expect((await tool('resize_image', { image, width: 4, height: 4 })).status).toBe(404);
    });

    test('gets no response stored for the owner', async () => {
      const { owner } = locked;
      const key = { 'Idempotency-Key': 'purchase-1' };
      const headers = (await owner.makeKey({ scopes: ['spend', 'assets:write'] })).header;
      expect((await save(owner, { ...headers, ...key }, 'kept')).status).toBe(200);
      expect((await save(owner, { ...bare(), ...key }, 'kept')).body.code).toBe('wallet_locked');
    });

    test('is refused over MCP as a result with isError, never as a login', async () => {
      for (const [name, args] of [
        ['save_asset', { wallet: wallet(), key: 'k', data: 'YQ==' }],
        ['list_assets', { wallet: wallet() }],
        ['get_asset', { wallet: wallet(), key: 'secret.png' }],
        ['extract_palette', { image: 'asset:secret.png' }],
      ] as const) {
        const result = await mcp(name, args, bare());
        expect(result.isError).toBe(true);
        expect(result.structuredContent).toMatchObject({ code: 'wallet_locked' });
      }
    });

    test('can use tools that need no wallet', async () => {
      const { status } = await tool('extract_palette', { image: EXAMPLE_PNG_B64 }, bare());
      expect(status).toBe(200);
    });

    test('has moved nothing, and is on record', async () => {
      const { owner, session } = locked;
      const { body } = await tool('get_asset', { wallet: owner.wallet, key: 'secret.png' }, session);
      expect(body.data).toBe(EXAMPLE_PNG_B64);
      const events = (await app.get('/api/wallet/keys', session)).body.events;
      expect(events).toContainEqual(
        expect.objectContaining({ event: 'refused_locked', about: 'delete_asset' }),
      );
    });
  });

  describe('the owner of a locked wallet', () => {
    test('spends, saves, lists, reads, links and deletes with a session', async () => {
      const { owner, session } = await lockedOwner();
      const { wallet } = owner;
      expect((await save(owner, session, 'b.png')).body).toMatchObject({ key: 'b.png', cost: { credit: 1 } });
      expect((await tool('list_assets', { wallet }, session)).body.count).toBe(2);
      const resized = await tool('resize_image', { image: 'asset:b.png', width: 4, height: 4 }, session);
      expect(resized.status).toBe(200);
      const picture = await app.get(`/api/gallery/image/${wallet}/b.png`, session);
      expect({ status: picture.status, cache: picture.headers.get('cache-control') }).toEqual({
        status: 200,
        cache: 'private, no-store',
      });
      expect((await tool('check_balance', { wallet }, session)).body).toMatchObject({
        locked: true,
        balance: 8.1,
      });
      expect((await tool('delete_asset', { wallet, key: 'b.png' }, session)).body.deleted).toBe(true);
    });

    test('works over MCP with a key', async () => {
      const { owner } = await lockedOwner();
      const { header } = await owner.makeKey({ scopes: ['spend', 'assets:write', 'assets:read'] });
      const args = { wallet: owner.wallet, key: 'm', data: 'YQ==', content_type: 'text/plain' };
      expect((await mcp('save_asset', args, header)).structuredContent).toMatchObject({ key: 'm' });
    });

    test('unlocks, and the address is sufficient again', async () => {
      const { owner, session } = await lockedOwner();
      expect((await app.post('/api/wallet/unlock', {}, session)).body).toMatchObject({ locked: false });
      expect((await save(owner, owner.bare, 'again')).status).toBe(200);
    });

    test('has no access to another locked wallet', async () => {
      const [one, other] = [await lockedOwner(), await lockedOwner()];
      const read = await tool('get_asset', { wallet: other.owner.wallet, key: 'secret.png' }, one.session);
      expect(read.body.code).toBe('wallet_locked');
      expect((await save(other.owner, one.session)).body.code).toBe('wallet_locked');
    });
  });

  describe('proving', () => {
    test('the challenge lists the supported wallets', async () => {
      const { wallet } = await newOwner(app);
      const { body } = await app.post('/api/wallet/challenge', { wallet, chain_id: 8453 });
      expect(body).toMatchObject({ wallet, supported: ['eoa'] });
      expect(body.message).toContain('atelier.test wants you to sign in with your Ethereum account:');
      expect(body.message).toContain('Chain ID: 8453');
    });

    test.each([0, -1, 1.5, 2 ** 53, '1', null])('the chain %j is refused', async (chain_id) => {
      const { wallet } = await newOwner(app);
      expect((await app.post('/api/wallet/challenge', { wallet, chain_id })).status).toBe(400);
    });

    test('no session or key is stored for a retry: the disk never contains a token', async () => {
      const owner = await newOwner(app);
      const { message } = (await app.post('/api/wallet/challenge', { wallet: owner.wallet })).body;
      const signature = await owner.account.signMessage({ message });
      const key = { 'Idempotency-Key': 'again' };
      expect((await app.post('/api/wallet/session', { message, signature }, key)).status).toBe(200);
      expect((await app.post('/api/wallet/session', { message, signature }, key)).body.code).toBe(
        'invalid_signature',
      );
    });

    test('garbage is a clear 4xx', async () => {
      const { wallet } = await newOwner(app);
      const { message } = (await app.post('/api/wallet/challenge', { wallet })).body;
      const garbage = ['0x', 'x', '0x'.padEnd(132, 'f'), '😀'.repeat(20), '0x'.padEnd(900, '0')];
      for (const signature of garbage) {
        expect((await app.post('/api/wallet/session', { message, signature })).body.code).toBe(
          'invalid_signature',
        );
      }
      const bad = await app.post('/api/wallet/session', { message: 'sign me in', signature: '0x' });
      expect(bad.body).toMatchObject({ status: 400, code: 'invalid_input' });
    });

    test.each([
      'atl_sess_x',
      'atl_key_',
      'atl_other',
      'atl_key_'.padEnd(5000, 'a'),
      "atl_key_'; drop table x",
    ])('the bearer %.20s is 401 invalid_token', async (token) => {
      const { status, body } = await tool('search_tools', {}, bearer(token));
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalid_token' });
    });

    test('a wallet that was never registered can be claimed and locked before it is', async () => {
      const account = privateKeyToAccount(generatePrivateKey());
      const wallet = account.address;
      const { message } = (await app.post('/api/wallet/challenge', { wallet })).body;
      const { token } = (
        await app.post('/api/wallet/session', { message, signature: await account.signMessage({ message }) })
      ).body;
      await app.post('/api/wallet/lock', {}, bearer(token));
      await app.post('/api/wallet/register', { wallet });
      expect((await tool('check_balance', { wallet })).body).toMatchObject({
        registered: true,
        locked: true,
      });
    });
  });

  describe('keys', () => {
    const right = { name: 'agent' };
    test.each([
      [{ max_credits: -1 }, 'max_credits'],
      [{ max_credits: 0 }, 'max_credits'],
      [{ max_credits: 0.5 }, 'max_credits'],
      [{ max_credits: 1e9 + 1 }, 'max_credits'],
      [{ max_credits: 1e308 }, 'max_credits'],
      [{ max_credits: '10' }, 'max_credits'],
      [{ max_credits_per_day: -5 }, 'max_credits_per_day'],
      [{ max_credits_per_day: 2.000001 }, 'max_credits_per_day'],
      [{ max_credits_per_day: 2 ** 60 }, 'max_credits_per_day'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['everything'] }, 'scopes.0'],
      [{ tools: ['save_assets'] }, 'tools'],
      [{ tools: [] }, 'tools'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ expires_at: '9999-01-01T00:00:00Z' }, 'expires_at'],
      [{ expires_at: 'tomorrow' }, 'expires_at'],
      [{ name: '\u202eevil' }, 'name'],
      [{ name: '' }, 'name'],
    ])('a key with %j is refused', async (wrong, field) => {
      const owner = await newOwner(app);
      const { status, body } = await app.post(
        '/api/wallet/keys',
        { ...right, ...wrong },
        await owner.signIn(),
      );
      expect({ status, field: body.errors[0].field }).toEqual({ status: 400, field });
    });

    test('a key is shown once and listed without its token', async () => {
      const owner = await newOwner(app);
      const { token, id } = await owner.makeKey({ max_credits: 5 });
      const { text, body } = await app.get('/api/wallet/keys', await owner.signIn());
      expect(token).toMatch(/^atl_key_[\w-]{43}$/);
      expect(text).not.toContain(token);
      expect(body.keys).toMatchObject([{ id, state: 'active', max_credits: 5, used_credits: 0 }]);
    });

    test('a key is limited to its scopes', async () => {
      const { owner } = await lockedOwner();
      const { wallet } = owner;
      const { header: reader } = await owner.makeKey({ scopes: ['assets:read'] });
      expect((await tool('get_asset', { wallet, key: 'secret.png' }, reader)).status).toBe(200);
      const refused = [
        await save(owner, reader),
        await tool('delete_asset', { wallet, key: 'secret.png' }, reader),
        await app.get(`/api/wallet/statement?wallet=${wallet}`, reader),
        await app.post('/api/wallet/keys', { name: 'child' }, reader),
        await app.post('/api/wallet/unlock', {}, reader),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
        refused.map(() => [403, 'scope_denied']),
      );
    });

    test('a key without assets:read opens no handle and copies nothing', async () => {
      const { owner } = await lockedOwner();
      const { header } = await owner.makeKey({ scopes: ['spend', 'assets:write'] });
      const image = await tool('extract_palette', { image: 'asset:secret.png' }, header);
      const copy = await tool(
        'save_asset',
        { wallet: owner.wallet, key: 'c', data: 'asset:secret.png' },
        header,
      );
      expect([image.body.code, copy.body.code]).toEqual(['scope_denied', 'scope_denied']);
    });

    test.each([200, 5000, 100_000])('%i spaces before a handle do not hide it', async (spaces) => {
      const { owner } = await lockedOwner();
      const { header } = await owner.makeKey({ scopes: ['spend', 'assets:write'] });
      const handle = `${' '.repeat(spaces)}asset:secret.png`;
      const image = await tool('extract_palette', { image: handle }, header);
      const copy = await tool('save_asset', { wallet: owner.wallet, key: 'c', data: handle }, header);
      expect([image.body.code, copy.body.code]).toEqual(['scope_denied', 'scope_denied']);
    });

    test('a key gets no response stored for a session or another key', async () => {
      const { owner, session } = await lockedOwner();
      const { header } = await owner.makeKey({ scopes: ['spend'] });
      const once = { 'Idempotency-Key': 'balance' };
      const ask = (headers: Record<string, string>) =>
        tool('check_balance', { wallet: owner.wallet }, { ...headers, ...once });
      expect((await ask(session)).body).toHaveProperty('balance');
      expect((await ask(header)).body).not.toHaveProperty('balance');
    });

    test('a key that may not see the account learns no balance from a dry run', async () => {
      const { owner } = await lockedOwner();
      const body = { wallet: owner.wallet, key: 'k', data: 'YQ==', dry_run: true };
      const quoteFor = async (scopes: string[]) =>
        (await tool('save_asset', body, (await owner.makeKey({ scopes })).header)).body.quote;
      expect(await quoteFor(['assets:write'])).toEqual({ credit: 1, usd: 0.1 });
      expect(await quoteFor(['assets:write', 'spend'])).toMatchObject({ affordable: true });
    });

    test('a client can query its wallet, and a key its remaining budget', async () => {
      const { owner, session } = await lockedOwner();
      const { header } = await owner.makeKey({ max_credits: 5 });
      const who = async (headers: Record<string, string>) => (await app.get('/api/wallet', headers)).body;
      expect(await who(header)).toMatchObject({
        wallet: owner.wallet,
        state: 'locked',
        by: 'key',
        key: { name: 'agent', max_credits: 5, used_credits: 0 },
      });
      expect(await who(session)).toMatchObject({ wallet: owner.wallet, by: 'session' });
      expect(await who(owner.bare)).toMatchObject({ status: 401, code: 'proof_required' });
      expect(await who((await newOwner(app)).bare)).toMatchObject({ by: 'address', state: 'open' });
    });

    test('a key for some tools calls no other', async () => {
      const owner = await newOwner(app);
      const { header } = await owner.makeKey({ tools: ['search_tools'] });
      expect((await tool('search_tools', {}, header)).status).toBe(200);
      expect((await tool('list_assets', { wallet: owner.wallet }, header)).body.code).toBe('scope_denied');
    });

    test('a revoked key stops working immediately, and revoking is idempotent', async () => {
      const owner = await newOwner(app);
      const { header, id } = await owner.makeKey();
      const session = await owner.signIn();
      for (let times = 0; times < 2; times += 1) {
        expect((await send('DELETE', `/api/wallet/keys/${id}`, session)).body.key.state).toBe('revoked');
      }
      expect((await tool('search_tools', {}, header)).body.code).toBe('invalid_token');
    });

    test('a wallet cannot revoke the key of another', async () => {
      const [one, other] = [await newOwner(app), await newOwner(app)];
      const { id, header } = await one.makeKey();
      const reply = await send('DELETE', `/api/wallet/keys/${id}`, await other.signIn());
      expect(reply.body).toMatchObject({ status: 404, code: 'key_not_found' });
      expect((await tool('search_tools', {}, header)).status).toBe(200);
    });
  });

  describe('budgets', () => {
    const spending = { scopes: ['spend', 'assets:write'] };

    test('of 12 simultaneous paid calls with a budget for three, three run and nine are rejected', async () => {
      const owner = await newOwner(app);
      const { header } = await owner.makeKey({ ...spending, max_credits: 3 });
      const replies = await Promise.all(Array.from({ length: 12 }, (_, at) => save(owner, header, `k${at}`)));
      const codes = replies.map(({ status, body }) => (status === 200 ? 200 : body.code));
      expect(codes.filter((code) => code === 200)).toHaveLength(3);
      expect(codes.filter((code) => code === 'budget_refused')).toHaveLength(9);
      expect((await tool('check_balance', { wallet: owner.wallet })).body.totals.spent).toBe(3);
    });

    test('a rejection is not a 402 and reports the remaining budget', async () => {
      const owner = await newOwner(app);
      const { header } = await owner.makeKey({ ...spending, max_credits_per_day: 1 });
      await save(owner, header);
      const { status, body } = await save(owner, header, 'more');
      expect({ status, budget: body.budget }).toEqual({
        status: 403,
        budget: { cap: 'daily', max_credits: 1, used: 1, remaining: 0, resets_at: expect.any(String) },
      });
    });

    test('a failed call gives the budget back', async () => {
      const owner = await newOwner(app);
      const { header } = await owner.makeKey({ ...spending, max_credits: 1 });
      const failed = await tool(
        'save_asset',
        { wallet: owner.wallet, key: 'a', data: 'upload:upl_00000000000000000000000000000000' },
        header,
      );
      expect(failed.status).toBeGreaterThanOrEqual(400);
      expect((await save(owner, header)).status).toBe(200);
    });

    test('from 80% of a budget, the response contains a warning', async () => {
      const owner = await newOwner(app);
      const { header } = await owner.makeKey({ ...spending, max_credits: 5 });
      const warnings = [];
      for (let at = 0; at < 4; at += 1) warnings.push((await save(owner, header, `k${at}`)).body.warnings);
      expect(warnings).toEqual([
        undefined,
        undefined,
        undefined,
        ['The key "agent" has used 4 of its 5 credits in all.'],
      ]);
    });
  });

  describe('the statement', () => {
    test('tells every movement with the balance after it, in pages', async () => {
      const owner = await newOwner(app);
      await save(owner, owner.bare);
      const path = `/api/wallet/statement?wallet=${owner.wallet}&limit=2`;
      const first = (await app.get(path)).body;
      const second = (await app.get(`${path}&cursor=${first.next_cursor}`)).body;
      const rows = [...first.entries, ...second.entries];
      expect(rows.map(({ type, amount, balance_after }) => [type, amount, balance_after])).toEqual([
        ['credit_back', 0.05, 9.05],
        ['tool_call', -1, 9],
        ['welcome_bonus', 10, 10],
      ]);
      expect([first.balance, second.balance, second.next_cursor]).toEqual([9.05, 9.05, null]);
    });

    test('a next page is of the same time and length', async () => {
      const owner = await newOwner(app);
      await save(owner, owner.bare);
      const [from, until] = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00+02:00'];
      const query = new URLSearchParams({ wallet: owner.wallet, limit: '2', from, until });
      const { next_cursor: cursor, next_steps: steps } = (await app.get(`/api/wallet/statement?${query}`))
        .body;
      expect(steps[0].params).toEqual({ wallet: owner.wallet, limit: 2, from, until, cursor });
      const next = new URLSearchParams(steps[0].params);
      expect((await app.get(`/api/wallet/statement?${next}`)).body.entries).toHaveLength(1);
    });

    test('is CSV for a spreadsheet, and never cached', async () => {
      const owner = await newOwner(app);
      const { text, headers } = await app.get('/api/wallet/statement?format=csv', owner.bare);
      expect(text).toMatch(
        /^id,at,type,tool,amount,balance_after,receipt_id\r\nwelcome:0x[0-9a-f]{40},\d{4}-[\dT:.-]+Z,welcome_bonus,,10,10,\r\n$/,
      );
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
        'text/csv; charset=utf-8',
        'private, no-store',
      ]);
    });

    test('a locked wallet shows it to its session and to keys that may', async () => {
      const { owner, session } = await lockedOwner();
      const { header } = await owner.makeKey({ scopes: ['account:read'] });
      for (const headers of [session, header]) {
        const { status, headers: answered } = await app.get('/api/wallet/statement', headers);
        expect([status, answered.get('cache-control')]).toEqual([200, 'private, no-store']);
      }
    });

    test.each([
      'limit=0',
      'limit=1001',
      'cursor=0',
      'cursor=x',
      'from=yesterday',
      'format=pdf',
      'wallet=0x1',
    ])('%s is refused', async (query) => {
      expect((await app.get(`/api/wallet/statement?${query}`)).status).toBe(400);
    });

    test('without a wallet it asks for one', async () => {
      expect((await app.get('/api/wallet/statement')).body.errors[0].field).toBe('wallet');
    });
  });

  test('a key is counted as its wallet', async () => {
    const limited = await open({ FREE_TOOLS_PER_HOUR: '5' });
    try {
      const owner = await newOwner(limited);
      const { header } = await owner.makeKey();
      const search = (headers: Record<string, string>) =>
        limited.post('/api/tools/search_tools', {}, headers);
      for (let calls = 0; calls < 5; calls += 1) await search(calls % 2 ? header : owner.bare);
      expect([
        (await search(header)).status,
        (await search(owner.bare)).status,
        (await search({})).status,
      ]).toEqual([429, 429, 200]);
    } finally {
      await limited.close();
    }
  });
});
