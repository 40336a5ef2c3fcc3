import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOperations } from '../src/features/operator/routes/index.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';

const PICTURE = Buffer.from('hello').toString('base64');
/** Every address has its own turn at guessing. */
const from = (address: string) => ({ 'X-Forwarded-For': address });

forEachApp((open) => {
  let app: TestApp;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let tokens: Awaited<ReturnType<typeof makeOperatorTokens>>;
  beforeAll(async () => {
    issuer = await startIssuer();
    app = await open({ TRUSTED_PROXIES: '127.0.0.1', ...issuer.settings });
    tokens = await makeOperatorTokens(app, issuer.tokenOf(['staff']));
  });
  afterAll(async () => {
    await app?.close();
    await issuer?.close();
  });

  async function paidCall() {
    const owner = await newOwner(app);
    const body = { wallet: owner.wallet, key: 'a.txt', data: PICTURE, content_type: 'text/plain' };
    const { payment } = (await app.post('/api/tools/save_asset', body, owner.bare)).body;
    return { owner, call: payment.transaction_id as string };
  }
  const balanceOf = async (wallet: string) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;

  test('a call is refunded once, regardless of the requester and the number of requests', async () => {
    const { owner, call } = await paidCall();
    expect(await balanceOf(owner.wallet)).toBe(9.05);
    const body = { call, reason: 'It was blurred.' };
    const { body: first } = await app.post('/api/operator/refund', body, tokens.money);
    expect(first).toMatchObject({ wallet: owner.wallet, credits: 0.95, balance: 10, repeated: false });
    const { body: again } = await app.post('/api/operator/refund', body, tokens.money);
    expect(again).toMatchObject({ repeated: true, balance: 10 });
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, refunded: 0.95 });
    const { acts } = (await app.get('/api/operator/log', tokens.read)).body;
    const told = acts.filter(
      ({ act, about }: { act: string; about: string }) => act === 'refund' && about === call,
    );
    expect(told).toMatchObject([{ who: 'token money', why: '0.95 credits: It was blurred.' }]);
  });

  test('the same Idempotency-Key of an operator grants once, of two operators twice', async () => {
    const { wallet } = await newOwner(app);
    const body = { wallet, credits: 1, reason: 'sorry' };
    const key = { 'Idempotency-Key': 'g1' };
    for (let turn = 0; turn < 2; turn += 1)
      expect((await app.post('/api/operator/grant', body, { ...tokens.money, ...key })).status).toBe(200);
    expect(await balanceOf(wallet)).toBe(11);
    await app.post('/api/operator/grant', body, { ...tokens.all, ...key });
    expect(await balanceOf(wallet)).toBe(12);
  });

  test('a blocked wallet cannot spend in any way, and can still read', async () => {
    const owner = await newOwner(app);
    const { header: byKey } = await owner.makeKey({ scopes: ['spend', 'assets:write'] });
    const act = { wallet: owner.wallet, reason: 'a stolen card' };
    expect((await app.post('/api/operator/block', act, tokens.money)).status).toBe(200);
    const save = { wallet: owner.wallet, key: 'a', data: PICTURE, content_type: 'text/plain' };
    for (const header of [owner.bare, byKey, await owner.signIn()])
      expect((await app.post('/api/tools/save_asset', save, header)).body.code).toBe('wallet_blocked');
    const dry = await app.post('/api/tools/save_asset', { ...save, dry_run: true }, owner.bare);
    expect(dry.body.quote).toMatchObject({ affordable: false });
    expect(dry.body.next_steps[0].why).toContain('would be rejected: The wallet');
    expect((await app.post('/api/tools/list_assets', { wallet: owner.wallet })).status).toBe(200);
    await app.post('/api/operator/unblock', act, tokens.money);
    expect((await app.post('/api/tools/save_asset', save, byKey)).status).toBe(200);
  });

  test('every operation rejects non-operators before it validates input', async () => {
    const owner = await newOwner(app);
    const strangers = [
      {},
      owner.bare,
      await owner.signIn(),
      bearer('a.b.c'),
      bearer(`atl_op_${'x'.repeat(43)}`),
    ];
    for (const { path, methods } of operatorOperations)
      for (const [at, headers] of strangers.entries()) {
        const init = { headers: { ...headers, ...from(`9.9.${at}.1`) } };
        const sent = methods.includes('POST')
          ? app.post(path, {}, init.headers)
          : app.get(path, init.headers);
        expect([path, at, (await sent).body.code]).toEqual([
          path,
          at,
          expect.stringMatching(/^(operator_required|rate_limited)$/),
        ]);
      }
  });

  test('a token grants its scopes and cannot issue one with more', async () => {
    const wallet = `0x${'0'.repeat(40)}`;
    const grant = { wallet, credits: 1, reason: 'x' };
    expect((await app.post('/api/operator/grant', grant, tokens.read)).body.code).toBe('operator_denied');
    expect((await app.get(`/api/operator/show?wallet=${wallet}`, tokens.money)).body.code).toBe(
      'operator_denied',
    );
    const more = { name: 'eve', scopes: ['keys', 'money'], reason: 'x' };
    expect((await app.post('/api/operator/token', more, tokens.keys)).body.code).toBe('operator_denied');
    expect((await app.post('/api/operator/grant', grant, tokens.money)).body.code).toBe('not_found');
  });

  test('an operator of the identity provider acts under the name it has there; a reader only looks', async () => {
    const { acts } = (await app.get('/api/operator/log', issuer.tokenOf(['guests']))).body;
    expect(acts).toContainEqual(expect.objectContaining({ who: 'oidc ada', act: 'token' }));
    const act = { wallet: `0x${'0'.repeat(40)}`, reason: 'x' };
    expect((await app.post('/api/operator/block', act, issuer.tokenOf(['guests']))).body.code).toBe(
      'operator_denied',
    );
    expect((await app.get('/api/operator/log', issuer.tokenOf(['others']))).body.code).toBe(
      'operator_required',
    );
  });

  test('a revoked token opens nothing more', async () => {
    const made = await app.post(
      '/api/operator/token',
      { name: 'bob', scopes: ['keys'], reason: 'x' },
      tokens.keys,
    );
    const header = bearer(made.body.token);
    expect((await app.get('/api/operator/tokens', header)).text).not.toContain(made.body.token);
    await app.post('/api/operator/revoke', { key: made.body.id, reason: 'he has left' }, tokens.keys);
    expect((await app.get('/api/operator/tokens', header)).body).toMatchObject({
      status: 401,
      detail: expect.stringContaining('revoked'),
    });
  });

  test('an address that guesses tokens is blocked for a while, and others are not', async () => {
    const guess = (address: string, header = bearer(`atl_op_${'g'.repeat(43)}`)) =>
      app.get('/api/operator/log', { ...header, ...from(address) });
    const codes = await Promise.all(
      Array.from({ length: 40 }, async () => (await guess('9.8.7.6')).body.code),
    );
    expect(codes.filter((code) => code === 'operator_required')).toHaveLength(30);
    expect((await guess('9.8.7.6', tokens.read)).status).toBe(429);
    expect((await guess('9.8.7.5', tokens.read)).status).toBe(200);
  });

  test('the overview tells how everything is, and names no secret', async () => {
    const owner = await newOwner(app);
    const url = 'https://example.org/hook';
    await app.post('/api/webhooks/register', { url, events: ['*'] }, owner.bare);
    await app.get('/api/wallet/keys', bearer(`atl_sess_${'s'.repeat(43)}`));
    const { body, text } = await app.get('/api/operator/overview', tokens.read);
    expect(body).toMatchObject({
      health: { status: 'ok' },
      books: { balanced: true, problems: [] },
      webhooks: { active: 1, disabled: 0 },
      refusals: expect.arrayContaining([
        expect.objectContaining({ code: 'invalid_token', about: 'list_wallet_keys' }),
      ]),
    });
    expect(body.models.length).toBeGreaterThan(5);
    expect(body.museums.map(({ museum }: { museum: string }) => museum)).toContain('met');
    expect(text).not.toMatch(/atl_|whsec_|example\.org/);
  });

  test('a museum download is requested once by name, and can be cancelled', async () => {
    const ask = (name: string, token = tokens.upkeep) =>
      app.post('/api/operator/fetch', { name, reason: 'an exhibition' }, token);
    expect((await ask('cleveland', tokens.money)).body.code).toBe('operator_denied');
    expect((await ask('luvre')).body.detail).toContain('Available: ');
    expect((await ask('realesr_animevideov3')).body.detail).toContain('is already installed');
    expect((await ask('cleveland')).body.note).toContain('fetch_cleveland');
    expect((await ask('nga')).body.detail).toContain('Another download is running');
    const fetches = async () => (await app.get('/api/operator/overview', tokens.read)).body.fetches;
    expect(await fetches()).toMatchObject([{ name: 'cleveland', state: 'waiting', who: 'token upkeep' }]);
    await app.post('/api/operator/end', { id: 'fetch_cleveland', reason: 'too much' }, tokens.all);
    expect(await fetches()).toMatchObject([{ name: 'cleveland', state: 'stopped' }]);
  });

  test('a hidden post leaves the feed and stays in the list of entries and in the log', async () => {
    const { body } = await app.post('/api/cafe/post', { name: 'Eve', message: 'Buy now' });
    const { id } = body.post;
    await app.post('/api/operator/hide', { id, reason: 'advertising' }, tokens.all);
    expect((await app.get('/api/cafe/feed')).text).not.toContain('Buy now');
    const { entries } = (await app.get('/api/operator/entries', tokens.read)).body;
    expect(entries.find((entry: { id: string }) => entry.id === id).hidden_at).not.toBe(null);
    const { acts } = (await app.get('/api/operator/log?limit=1', tokens.read)).body;
    expect(acts).toMatchObject([{ act: 'hide', about: id, who: 'token all', why: 'advertising' }]);
  });
});
