import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSealer } from '../src/core/keys/signer.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { bearer, newOwner } from './support/owner.ts';

/** Accounts of agents that have nothing, and of the people who take them over. */
forEachApp((open) => {
  let app: TestApp;
  /** As a client that cannot set headers: over MCP. */
  const tool = async (name: string, args: object) => {
    const params = { name, arguments: args };
    const { body } = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return body.result.structuredContent;
  };
  const claim = (url: string) => app.post('/api/wallet/claim', { token: url.split('/').at(-1) });
  const saving = { key: 'note', data: 'aGVsbG8=' };

  beforeAll(async () => {
    app = await open({ GUEST_BONUSES_PER_DAY: '100' });
  });
  afterAll(() => app.close());

  test('an agent that has nothing makes its first paid call after one other', async () => {
    const { wallet, payer, bonus_credits, limits } = await tool('open_account', {});
    expect([bonus_credits, limits]).toEqual([10, { credits_a_day: 10, credits_in_all: 100 }]);
    expect(await tool('save_asset', { ...saving, wallet, payer })).toMatchObject({ cost: { credit: 1 } });
    expect(await tool('check_balance', { wallet, payer })).toMatchObject({ locked: true, balance: 9.05 });
  });

  test('its address alone grants no access, and its key cannot manage the wallet', async () => {
    const { wallet, payer } = await tool('open_account', {});
    await tool('save_asset', { ...saving, wallet, payer });
    for (const call of ['list_assets', 'delete_asset', 'get_asset'])
      expect((await tool(call, { wallet, key: 'note' })).code).toBe('wallet_locked');
    expect((await tool('save_asset', { ...saving, wallet, payer: wallet })).code).toBe('wallet_locked');
    expect((await tool('manage_wallet', { action: 'unlock', payer })).code).toBe('scope_denied');
    expect((await app.get(`/api/wallet/statement?wallet=${wallet}`)).status).toBe(401);
  });

  test('its key does not exceed its daily limit, whatever the balance', async () => {
    const { wallet, payer } = await tool('open_account', {});
    const asked = await tool('request_payment', { wallet, credits: 50 });
    await app.post('/api/dev/pay-checkout', { session_id: asked.code });
    const dear = { data: 'aGVsbG8=', content_type: 'text/plain', payer };
    expect((await tool('store_permanent', dear)).code).toBe('budget_refused');
  });

  test('the owner claims it by the link, and the server deletes the key', async () => {
    const { wallet, payer, claim_url } = await tool('open_account', {});
    const { body } = await claim(claim_url);
    const account = privateKeyToAccount(body.private_key);
    expect([body.wallet, account.address.toLowerCase()]).toEqual([wallet, wallet]);
    const { message } = (await app.post('/api/wallet/challenge', { wallet })).body;
    const signature = await account.signMessage({ message });
    const { token } = (await app.post('/api/wallet/session', { message, signature })).body;
    const { keys } = (await app.get('/api/wallet/keys', bearer(token))).body;
    await app.fetch(
      new Request(`http://atelier.test/api/wallet/keys/${keys[0].id}`, {
        method: 'DELETE',
        headers: bearer(token),
      }),
    );
    expect((await tool('save_asset', { ...saving, wallet, payer })).code).toBe('invalid_token');
  });

  test('a link works once, also for two at the same moment', async () => {
    const { claim_url } = await tool('open_account', {});
    const both = await Promise.all([claim(claim_url), claim(claim_url)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await claim(claim_url)).body.code).toBe('claim_not_found');
    expect((await app.get(new URL(claim_url).pathname)).text).toContain('Nothing to take over');
  });

  test('opening the page reveals no key; its button does, on an uncached page', async () => {
    const { claim_url, wallet } = await tool('open_account', {});
    const path = new URL(claim_url).pathname;
    for (let times = 0; times < 2; times += 1) {
      const { text } = await app.get(path);
      expect(text).toContain(wallet);
      expect(text).not.toMatch(/0x[0-9a-f]{64}/);
    }
    const url = `http://atelier.test${path}`;
    const shown = await app.fetch(new Request(url, { method: 'POST', body: 'x=1' }));
    expect(await shown.text()).toMatch(/0x[0-9a-f]{64}/);
    expect(shown.headers.get('cache-control')).toContain('no-store');
    expect((await app.fetch(new Request(url, { method: 'POST', body: 'x=1' }))).status).toBe(404);
  });

  test('a page of another site cannot press the button', async () => {
    const { claim_url } = await tool('open_account', {});
    const init = { method: 'POST', body: 'x=1', headers: { Origin: 'https://evil.example' } };
    const refused = await app.fetch(new Request(`http://atelier.test${new URL(claim_url).pathname}`, init));
    expect(refused.status).toBe(403);
    expect((await claim(claim_url)).status).toBe(200);
  });

  test.each(['', 'x', 'A'.repeat(43), '../../x', `${'A'.repeat(42)}'`])(
    '%j claims nothing',
    async (token) => {
      expect((await app.post('/api/wallet/claim', { token })).body.code).toBe('claim_not_found');
    },
  );

  test('the response of a retry, a job or a recipe contains neither the key nor the link', async () => {
    const once = { 'Idempotency-Key': 'guest' };
    const [first, second] = [
      (await app.post('/api/tools/open_account', {}, once)).body,
      (await app.post('/api/tools/open_account', {}, once)).body,
    ];
    expect(first.wallet).not.toBe(second.wallet);
    expect((await app.post('/api/tools/open_account', { async: true })).status).toBe(200);
    const steps = [{ tool: 'open_account', params: {} }];
    const { bare } = await newOwner(app);
    expect((await app.post('/api/tools/run_recipe', { steps }, bare)).status).toBe(400);
  });

  describe('the bonus', () => {
    const from = async (address: string, farm: TestApp) =>
      (await farm.post('/api/tools/open_account', {}, { 'X-Forwarded-For': address })).body;

    test('is granted three times a day per address and per /48, and not by registering', async () => {
      const farm = await open({ TRUSTED_PROXIES: '127.0.0.1' });
      const bonuses = async (addresses: string[]) => {
        const granted = [];
        for (const address of addresses) granted.push((await from(address, farm)).bonus_credits);
        return granted;
      };
      expect(await bonuses(Array.from({ length: 5 }, () => '203.0.113.7'))).toEqual([10, 10, 10, 0, 0]);
      expect(await bonuses(['203.0.113.8'])).toEqual([10]);
      const site = ['1::1', '2:1::1', 'ffff:2::9', '4::1', '5::2'].map((end) => `2001:db8:7:${end}`);
      expect(await bonuses(site)).toEqual([10, 10, 10, 0, 0]);
      const { wallet, warnings } = await from('203.0.113.7', farm);
      expect(warnings[0]).toContain('No welcome bonus');
      const again = (await farm.post('/api/wallet/register', { wallet })).body;
      expect([again.bonus_credits, again.balance]).toEqual([0, undefined]);
      await farm.close();
    });

    test('is granted at the first sign-in of a new wallet, within the limit of guest accounts', async () => {
      const farm = await open({ TRUSTED_PROXIES: '127.0.0.1' });
      const signIn = async (address: string, account = privateKeyToAccount(generatePrivateKey())) => {
        const headers = { 'X-Forwarded-For': address };
        const { message } = (await farm.post('/api/wallet/challenge', { wallet: account.address }, headers))
          .body;
        const signature = await account.signMessage({ message });
        return (await farm.post('/api/wallet/session', { message, signature }, headers)).body;
      };
      const bonuses = [];
      for (let times = 0; times < 4; times += 1) bonuses.push((await signIn('203.0.113.9')).bonus_credits);
      expect(bonuses).toEqual([10, 10, 10, undefined]);
      expect((await from('203.0.113.9', farm)).bonus_credits).toBe(0);
      // A wallet that came too late gets it where its network has one left, once.
      const late = privateKeyToAccount(generatePrivateKey());
      const credits = [];
      for (const address of ['203.0.113.9', '203.0.113.10', '203.0.113.10', '203.0.113.11'])
        credits.push((await signIn(address, late)).bonus_credits);
      expect(credits).toEqual([undefined, 10, undefined, undefined]);
      expect((await farm.get('/api/ledger/invariants')).body.balanced).toBe(true);
      await farm.close();
    });

    test('comes once, for two first sign-ins at the same moment too', async () => {
      const farm = await open();
      const account = privateKeyToAccount(generatePrivateKey());
      const wallet = account.address.toLowerCase();
      const signed = await Promise.all(
        [1, 2].map(async () => {
          const { message } = (await farm.post('/api/wallet/challenge', { wallet })).body;
          return { message, signature: await account.signMessage({ message }) };
        }),
      );
      const replies = await Promise.all(signed.map((body) => farm.post('/api/wallet/session', body)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect((await farm.post('/api/tools/check_balance', { wallet })).body.balance).toBe(10);
      await farm.close();
    });

    test('is not granted if the operator disables it', async () => {
      const farm = await open({ GUEST_BONUSES_PER_DAY: '0' });
      expect((await from('203.0.113.7', farm)).bonus_credits).toBe(0);
      await farm.close();
    });
  });
});

describe('a sealed key', () => {
  const sealer = createSealer('s'.repeat(32), 'guest accounts');
  const sealed = sealer.seal(Buffer.from('private'), '0xa');

  test('opens under the same secret and for the same wallet', () => {
    expect(String(sealer.open(sealed, '0xa'))).toBe('private');
    expect(sealed).not.toBe(sealer.seal(Buffer.from('private'), '0xa'));
  });

  test.each([
    ['another secret', createSealer('t'.repeat(32), 'guest accounts'), sealed, '0xa'],
    ['another purpose', createSealer('s'.repeat(32), 'others'), sealed, '0xa'],
    ['another wallet', sealer, sealed, '0xb'],
    ['a changed text', sealer, `${sealed.slice(0, -2)}AA`, '0xa'],
    ['nothing', sealer, '', '0xa'],
  ])('does not open under %s', (_what, one, text, context) => {
    expect(one.open(text, context)).toBeUndefined();
  });
});
