import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';

/** An agent that has nothing but the tools, and a person with a card or a wallet: how one comes to pay for the other. */

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

type Body = Record<string, unknown>;
const tool = async (name: string, input: object, headers = {}) =>
  (await app.post(`/api/tools/${name}`, input, headers)).body;
const overMcp = async (name: string, args: object, { meta = {}, headers = {} } = {}) => {
  const params = { name, arguments: args, _meta: meta };
  const { body } = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  return body.result.structuredContent as Body & { how_to_pay: { configuration: Body } };
};
/** Costs a credit, and is kept in the wallet of a stranger to all tests. */
const save = (more: Body = {}) => ({ wallet: `0x${'5'.repeat(40)}`, key: 'note', data: 'aGVsbG8=', ...more });

test.each(['enrich_metadata', 'upscale_image', 'mockup_image'])(
  'a client that cannot pay for %s gets the link to its free sample, over REST and MCP',
  async (name) => {
    const endpoint = `GET /api/sandbox/${name}`;
    const refused = await tool(name, {});
    const overTools = await overMcp(name, { image: 'QQ==' });
    expect(refused.next_steps).toContainEqual(expect.objectContaining({ endpoint, cost: 'free' }));
    expect(overTools.next_steps).toContainEqual(
      expect.objectContaining({ endpoint: `GET http://atelier.test/api/sandbox/${name}`, cost: 'free' }),
    );
  },
);

describe('a payment a person makes', () => {
  test('credits: waiting, then paid, then spent by naming the wallet', async () => {
    const { wallet } = await newOwner(app);
    const asked = await tool('request_payment', { wallet, credits: 60 });
    expect((await tool('request_payment', { code: asked.code })).state).toBe('waiting');
    await app.post('/api/dev/pay-checkout', { session_id: asked.code });
    const paid = await tool('request_payment', { code: asked.code });
    expect(paid).toMatchObject({ state: 'paid', payer: wallet, buys_credits: 100 });
    expect(await overMcp('save_asset', save({ wallet, payer: paid.payer }))).toMatchObject({
      payment: { wallet },
    });
  });

  test('calls of one tool: the code itself pays, and for that tool alone', async () => {
    const asked = await tool('request_payment', { tool: 'save_asset' });
    expect((await tool('save_asset', save({ payer: asked.code }))).code).toBe('payment_not_authorized');
    await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: asked.code });
    expect(await tool('request_payment', { code: asked.code })).toMatchObject({
      state: 'paid',
      payer: asked.code,
    });
    expect(await tool('save_asset', save({ payer: asked.code }))).toMatchObject({
      payment: { method: 'card' },
    });
  });

  test('an unknown code is reported', async () => {
    for (const code of ['cs_sim_0', 'pi_sim_0', `keycode_${'A'.repeat(43)}`])
      expect((await tool('request_payment', { code })).code).toBe('payment_not_found');
  });
});

describe('a key the owner gives', () => {
  async function granted(bounds: Body = {}) {
    const owner = await newOwner(app);
    const asked = await tool('request_payment', { way: 'key', credits: 5, name: 'my agent' });
    const id = asked.url.split('/').at(-1);
    const terms = {
      wallet: owner.wallet,
      decision: 'grant',
      max_credits: 2,
      files: true,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      ...bounds,
    };
    const { body } = await app.post(`/api/wallet/key-requests/${id}/message`, terms);
    const signature = await owner.account.signMessage({ message: body.message });
    const answer = await app.post(`/api/wallet/key-requests/${id}`, { ...terms, signature });
    return { owner, asked, id, terms, answer };
  }

  test('is fetched once, whatever Idempotency-Key came along, and spends within its bounds', async () => {
    const { asked, owner } = await granted();
    const once = { 'Idempotency-Key': 'fetch' };
    const { payer, wallet } = await tool('request_payment', { code: asked.code }, once);
    expect([wallet, payer]).toEqual([owner.wallet, expect.stringMatching(/^atl_key_/)]);
    expect((await tool('request_payment', { code: asked.code }, once)).code).toBe('payment_not_found');
    const call = save({ wallet, payer });
    for (let paid = 0; paid < 2; paid += 1)
      expect(await overMcp('save_asset', call)).toMatchObject({ cost: { credit: 1 } });
    expect(await overMcp('save_asset', call)).toMatchObject({ code: 'budget_refused' });
  });

  test('its page shows the requester and the characters to compare, and reports when it has expired', async () => {
    const asked = await tool('request_payment', { way: 'key', name: '<b>agent</b>' });
    const path = new URL(asked.url).pathname;
    const { text } = await app.get(path);
    expect(text).toContain(asked.check);
    expect(text).toContain('&lt;b&gt;agent&lt;/b&gt;');
    expect(text).not.toContain(asked.code);
    const over = await granted();
    expect((await app.get(`/grant/${over.id}`)).text).toContain('You have granted the key.');
    expect((await app.get('/grant/none')).text).toContain('This request does not exist');
  });

  test('a signature for other terms gives nothing', async () => {
    const { id, terms, answer } = await granted();
    expect(answer.body.state).toBe('granted');
    const again = await app.post(`/api/wallet/key-requests/${id}`, {
      ...terms,
      max_credits: 9,
      signature: '0x00',
    });
    expect(again.body.code).toBe('consent_over');
  });
});

describe('the payer named in the call', () => {
  test.each([
    ['a session', 'atl_sess_x', 'invalid_input'],
    ['a name', 'alice', 'invalid_input'],
  ])('%s is refused', async (_what, payer, code) => {
    expect((await tool('save_asset', save({ payer }))).code).toBe(code);
  });

  test('another one than the header names is a contradiction, the same is not', async () => {
    const [one, other] = [await newOwner(app), await newOwner(app)];
    expect((await tool('save_asset', save({ wallet: one.wallet, payer: other.wallet }), one.bare)).code).toBe(
      'wallet_mismatch',
    );
    const call = save({ wallet: one.wallet, payer: one.wallet });
    expect((await tool('save_asset', call, one.bare)).payment.wallet).toBe(one.wallet);
    expect((await tool('save_asset', { ...call, dry_run: true })).checks).toContainEqual(
      expect.objectContaining({ check: 'payer', state: 'passed' }),
    );
  });

  test('the address alone does not unlock a wallet', async () => {
    const owner = await newOwner(app);
    await app.post('/api/wallet/lock', {}, await owner.signIn());
    expect((await tool('save_asset', save({ wallet: owner.wallet, payer: owner.wallet }))).code).toBe(
      'wallet_locked',
    );
  });

  test('over MCP, _meta contains the same', async () => {
    const { wallet } = await newOwner(app);
    const meta = { 'io.github.atelier/payer': wallet };
    expect(await overMcp('save_asset', save({ wallet }), { meta })).toMatchObject({ payment: { wallet } });
  });
});

describe('a 402', () => {
  const TOKENS_MAX = 1600;
  /** Text and fields together, at four bytes a token. */
  const tokens = (problem: object) => (2 * JSON.stringify(problem).length) / 4;

  test('over MCP, describes the call and the client configuration within its size limit', async () => {
    const problem = await overMcp('save_asset', save());
    expect(problem.status).toBe(402);
    expect(problem.how_to_pay).toMatchObject({ now: expect.stringContaining('"payer"') });
    expect(Object.keys(problem.how_to_pay.configuration)).toHaveLength(6);
    expect(problem.next_steps).toContainEqual(
      expect.objectContaining({
        tool: 'request_payment',
        params: { tool: 'save_asset' },
      }),
    );
    expect(tokens(problem)).toBeLessThan(TOKENS_MAX);
  });

  test.each([
    ['claude-code/2.1 (cli)', 'Claude Code, in a shell'],
    ['Cursor/1.7.2', 'Cursor, ~/.cursor/mcp.json'],
    ['Visual Studio Code/1.106', 'VS Code, .vscode/mcp.json'],
  ])('of %s names the setting of that client', async (agent, where) => {
    const { how_to_pay } = await overMcp('save_asset', save(), { headers: { 'User-Agent': agent } });
    expect(Object.keys(how_to_pay.configuration)).toEqual([where]);
  });

  test('over REST names the header and the tool that asks a person', async () => {
    expect((await tool('save_asset', save())).how_to_pay).toEqual({
      now: expect.stringContaining('Authorization: Bearer <wallet>'),
      person: expect.stringContaining('/api/tools/request_payment'),
    });
  });
});

describe('approval', () => {
  async function asking(above = 0) {
    const owner = await newOwner(app);
    const session = await owner.signIn();
    const rules = (change: object) => app.post('/api/wallet/spending', change, session);
    await rules({ approval_above: above });
    const call = save({ wallet: owner.wallet, payer: owner.wallet });
    const decide = async (url: string, decision = 'grant') => {
      const id = url.split('/').at(-1);
      const { message } = (await app.post(`/api/wallet/approvals/${id}/message`, { decision })).body;
      const signature = await owner.account.signMessage({ message });
      return (await app.post(`/api/wallet/approvals/${id}`, { decision, signature })).body;
    };
    const balance = async () => (await tool('check_balance', { wallet: owner.wallet })).available;
    return { owner, session, rules, call, decide, balance };
  }

  test('the call waits for it, runs with it once, and charges nothing otherwise', async () => {
    const { call, decide, balance } = await asking();
    const first = await overMcp('save_asset', call);
    const { id, url } = first.approval as { id: string; url: string };
    expect(first).toMatchObject({ code: 'approval_required', detail: expect.stringContaining(url) });
    expect((await tool('save_asset', { ...call, approval: id })).code).toBe('approval_waiting');
    expect((await tool('save_asset', call)).approval.id).toBe(id);
    expect(await decide(url)).toMatchObject({ state: 'granted' });
    expect((await tool('save_asset', { ...call, key: 'other', approval: id })).code).toBe('approval_differs');
    expect(await balance()).toBe(10);
    expect((await tool('save_asset', call, { 'X-Approval': id })).payment.method).toBe('credits');
    expect((await tool('save_asset', { ...call, approval: id })).code).toBe('approval_used');
    expect(await balance()).toBe(9.05);
  });

  test("another client's code, or an invented one, is not found", async () => {
    const [mine, theirs] = [await asking(), await asking()];
    const { approval } = await tool('save_asset', theirs.call);
    await theirs.decide(approval.url);
    for (const id of [approval.id, 'apr_none', "'; drop table approvals"])
      expect((await tool('save_asset', { ...mine.call, approval: id })).code).toBe('approval_not_found');
  });

  test('refused is refused', async () => {
    const { call, decide } = await asking();
    const { approval } = await tool('save_asset', call);
    await decide(approval.url, 'refuse');
    expect((await tool('save_asset', { ...call, approval: approval.id })).code).toBe('approval_refused');
    expect((await app.get(new URL(approval.url).pathname)).text).toContain('You have refused this call.');
  });

  test('the page shows the call, and nothing of it is interpreted', async () => {
    const { call } = await asking();
    const { approval } = await tool('save_asset', { ...call, key: 'a<i>b' });
    const { text } = await app.get(new URL(approval.url).pathname);
    expect(text).toContain('key: a&lt;i&gt;b');
    expect(text).toContain('Approve save_asset for 1 credit?');
  });

  test('a dry run tells of it, and of the switch', async () => {
    const { call, rules } = await asking();
    const check = async () =>
      (await tool('save_asset', { ...call, dry_run: true })).checks.find(
        (one: Body) => one.check === 'consent',
      );
    expect(await check()).toMatchObject({ state: 'at_run' });
    await rules({ stopped: true });
    expect(await check()).toMatchObject({ state: 'failed' });
  });

  test('the switch stops calls and jobs of everybody, and lets them go on', async () => {
    const { call, rules, owner, session } = await asking(100);
    const { header } = await owner.makeKey({ scopes: ['spend', 'assets:write'] });
    expect((await rules({ stopped: true })).body).toMatchObject({ stopped: true, approval_above: 100 });
    for (const headers of [{}, header, session, { Prefer: 'respond-async' }])
      expect(
        (
          await tool(
            'save_asset',
            'Authorization' in headers ? save({ wallet: owner.wallet }) : call,
            headers,
          )
        ).code,
      ).toBe('spending_stopped');
    expect((await app.get('/api/wallet/spending', session)).body.stopped).toBe(true);
    await rules({ stopped: false });
    expect((await tool('save_asset', call)).cost.credit).toBe(1);
  });

  test('rules are the owner’s alone to set', async () => {
    const { owner } = await asking();
    const { header } = await owner.makeKey();
    for (const headers of [{}, owner.bare, header]) {
      const { status } = await app.post('/api/wallet/spending', { stopped: true }, headers);
      expect([401, 403]).toContain(status);
    }
  });
});
