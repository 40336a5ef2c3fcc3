import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';
import { toppedUp } from './support/topped_up.ts';

type Bare = { readonly bare: Record<string, string> };

forEachApp((open) => {
  let app: TestApp;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let money: Record<string, string>;
  beforeAll(async () => {
    issuer = await startIssuer();
    app = await open({ ...issuer.settings });
    ({ money } = await makeOperatorTokens(app, issuer.tokenOf(['staff'])));
  });
  afterAll(async () => {
    await app?.close();
    await issuer?.close();
  });
  // A rule that has ended lowers prices for some minutes, so each test has rules for tiers and tools of its own.
  afterEach(async () => {
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true });
  });
  const set = (rule: object) => app.post('/api/operator/price', { reason: 'a test', ...rule }, money);
  const act = (name: string, body: object) =>
    app.post(`/api/operator/${name}`, { reason: 'a test', ...body }, money);
  /** Costs 15 credits by the list; the same content a second time would be free. */
  const keep = (owner: Bare, text: string, more = {}) =>
    app.post(
      '/api/tools/store_permanent',
      { data: Buffer.from(text).toString('base64'), content_type: 'text/plain', ...more },
      owner.bare,
    );
  async function payingOwner(tier?: string) {
    const owner = await newOwner(app);
    await toppedUp(app.post, owner.wallet);
    if (tier) expect((await act('tier', { wallet: owner.wallet, tier })).status).toBe(200);
    return owner;
  }
  const balanceOf = async ({ wallet }: { wallet: string }) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;

  test('the quote, the receipt and the ledger have the same price for a tier, in whole credits', async () => {
    const [gold, other] = [await payingOwner('gold'), await payingOwner()];
    expect((await set({ name: 'gold-keeps', percent: 75, tier: 'gold' })).status).toBe(200);
    const before = await balanceOf(gold);
    expect((await keep(gold, 'gold', { dry_run: true })).body.quote).toMatchObject({
      credit: 12,
      usd: 1.2,
      note: 'Price rule "gold-keeps": 75 % of the list price.',
    });
    expect((await keep(gold, 'gold')).body).toMatchObject({
      cost: { credit: 12, usd: 1.2 },
      payment: { credit_back: 0.6 },
    });
    expect((await keep(other, 'other')).body.cost.credit).toBe(15);
    expect(await balanceOf(gold)).toBe(before - 12 + 0.6);
  });

  test('from a number of calls on the next one costs less', async () => {
    const owner = await payingOwner('busy');
    await set({ name: 'many', percent: 40, from_calls: 2, tier: 'busy' });
    const costs = [];
    for (const text of ['a', 'b', 'c']) costs.push((await keep(owner, text)).body.cost.credit);
    expect(costs).toEqual([15, 15, 6]);
  });

  test('a credit is not divided, and at 0 percent a call of a tier is free', async () => {
    const [half, none] = [await payingOwner('half'), await payingOwner('guests')];
    await set({ name: 'half-off', percent: 50, tier: 'half' });
    await set({ name: 'guests', percent: 0, tier: 'guests' });
    const save = async (owner: Bare & { wallet: string }) => {
      const { wallet } = owner;
      const note = { wallet, key: 'a.txt', data: 'aGVsbG8=', content_type: 'text/plain' };
      return (await app.post('/api/tools/save_asset', note, owner.bare)).body.cost.credit;
    };
    const before = await balanceOf(none);
    expect([await save(half), await save(none), await balanceOf(none)]).toEqual([1, 0, before]);
  });

  test('the price of everybody is in the 402, the documents and the lists, and holds after the rule has ended', async () => {
    const owner = await payingOwner();
    await set({ name: 'always', percent: 40, tools: 'store_permanent' });
    const unpaid = (await keep({ bare: {} }, 'unpaid')).body;
    const pricing = (await app.get('/pricing.json')).body;
    const openApi = (await app.get('/openapi.json')).body;
    const schema = (await app.post('/api/tools/get_tool_schema', { tool_name: 'store_permanent' })).body;
    const listed = pricing.tools.find(({ name }: { name: string }) => name === 'store_permanent');
    const cost = { credit: 6, usd: 0.6 };
    expect([unpaid.cost, listed.cost, listed.list_cost.credit]).toEqual([cost, cost, 15]);
    expect(JSON.stringify(openApi.paths['/api/tools/store_permanent'])).toContain('6 credits (0.60 USD)');
    expect(JSON.stringify(schema)).toContain('"credit":6');
    expect((await app.get('/tools', { Accept: 'text/html' })).text).toContain('6 credits');
    expect((await keep(owner, 'now')).body.cost.credit).toBe(6);
    expect((await act('end_price', { name: 'always' })).status).toBe(200);
    expect((await keep(owner, 'later')).body.cost.credit).toBe(6);
  });

  test('a free tool stays free', async () => {
    await set({ name: 'half', percent: 50, tier: 'x' });
    expect((await app.post('/api/tools/search_tools', { query: 'palette' })).body.cost.credit).toBe(0);
    expect((await set({ name: 'free', percent: 50, tools: 'search_tools' })).body.detail).toContain(
      'search_tools is free',
    );
  });

  test.each([
    [{ percent: -5 }, 'percent'],
    [{ percent: 120 }, 'percent'],
    [{ percent: 80.5 }, 'percent'],
    [{ percent: 0 }, 'Send a tier or a volume'],
    [{ percent: 50, tools: 'upscale_imag' }, 'Did you mean upscale_image?'],
    [{ percent: 50, hours: '25-3' }, 'hours must be from 0 to 23'],
    [{ percent: 50, ends_at: '2020-01-01T00:00:00Z' }, 'ends_at is in the past'],
    [{ percent: 50, starts_at: 'tomorrow' }, '2026-12-01T00:00:00Z'],
    [{ percent: 50, from_calls: 3, from_credits: 3 }, 'Omit from_calls or from_credits'],
  ])('%j is refused, and the answer says what to write', async (rule, words) => {
    const { status, body } = await set({ name: 'bad', ...rule });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(words)]);
  });

  test('a weight is given to a key that is in force', async () => {
    const { id } = await (await payingOwner()).makeKey();
    const [set, wrong] = [
      await act('weight', { who: id, weight: 3 }),
      await act('weight', { who: 'key_0', weight: 3 }),
    ];
    expect([set.body.note, wrong.body.errors?.[0]?.field]).toEqual([
      `${id} has the weight 3 in the queue.`,
      'who',
    ]);
  });
});
