import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';

const NOTE = { key: 'a.txt', data: Buffer.from('hello').toString('base64'), content_type: 'text/plain' };

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
  const save = (owner: { wallet: string; bare: Record<string, string> }, more = {}) =>
    app.post('/api/tools/save_asset', { ...NOTE, wallet: owner.wallet, ...more }, owner.bare);

  test('the quote, the receipt and the ledger have the same price for a tier', async () => {
    const [gold, other] = [await newOwner(app), await newOwner(app)];
    expect((await set({ name: 'gold-saves', percent: 75, tier: 'gold' })).status).toBe(200);
    expect((await act('tier', { wallet: gold.wallet, tier: 'gold' })).status).toBe(200);
    expect((await save(gold, { dry_run: true })).body.quote).toMatchObject({
      credit: 0.8,
      usd: 0.08,
      note: 'Price rule "gold-saves": 75 % of the list price.',
    });
    expect((await save(gold)).body).toMatchObject({
      cost: { credit: 0.8, usd: 0.08 },
      payment: { credit_back: 0.04 },
    });
    expect((await save(other)).body.cost.credit).toBe(1);
    const { body } = await app.post('/api/tools/check_balance', { wallet: gold.wallet });
    expect(body.balance).toBe(9.24);
  });

  test('from a number of calls on the next one costs less', async () => {
    const owner = await newOwner(app);
    await set({ name: 'many', percent: 50, from_calls: 2, tier: 'busy' });
    await act('tier', { wallet: owner.wallet, tier: 'busy' });
    const costs = [];
    for (const key of ['a', 'b', 'c']) costs.push((await save(owner, { key })).body.cost.credit);
    expect(costs).toEqual([1, 1, 0.5]);
  });

  test('the price of everybody is in the 402, the documents and the lists, and holds after the rule has ended', async () => {
    const owner = await newOwner(app);
    await set({ name: 'always', percent: 40, tools: 'save_asset' });
    const unpaid = (await app.post('/api/tools/save_asset', { ...NOTE, wallet: owner.wallet })).body;
    const pricing = (await app.get('/pricing.json')).body;
    const openApi = (await app.get('/openapi.json')).body;
    const schema = (await app.post('/api/tools/get_tool_schema', { tool_name: 'save_asset' })).body;
    const listed = pricing.tools.find(({ name }: { name: string }) => name === 'save_asset');
    expect([unpaid.cost, listed.cost, listed.list_cost.credit]).toEqual([
      { credit: 0.4, usd: 0.04 },
      { credit: 0.4, usd: 0.04 },
      1,
    ]);
    expect(JSON.stringify(openApi.paths['/api/tools/save_asset'])).toContain('0.4 credits (0.04 USD)');
    expect(JSON.stringify(schema)).toContain('"credit":0.4');
    expect((await app.get('/tools', { Accept: 'text/html' })).text).toContain('0.4 credits');
    expect((await save(owner)).body.cost.credit).toBe(0.4);
    expect((await act('end_price', { name: 'always' })).status).toBe(200);
    expect((await save(owner, { key: 'later' })).body.cost.credit).toBe(0.4);
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
    [{ percent: 0 }, 'Name a tier or a volume'],
    [{ percent: 50, tools: 'upscale_imag' }, 'Did you mean upscale_image?'],
    [{ percent: 50, hours: '25-3' }, 'hours must be from 0 to 23'],
    [{ percent: 50, ends_at: '2020-01-01T00:00:00Z' }, 'ends_at has passed'],
    [{ percent: 50, starts_at: 'tomorrow' }, '2026-12-01T00:00:00Z'],
    [{ percent: 50, from_calls: 3, from_credits: 3 }, 'Leave from_calls or from_credits out'],
  ])('%j is refused, and the answer says what to write', async (rule, words) => {
    const { status, body } = await set({ name: 'bad', ...rule });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(words)]);
  });
});
