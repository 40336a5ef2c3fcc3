import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { quoteAnswer } from '../src/catalog/envelope_schema.ts';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import type { Check } from '../src/pipeline/dry_run.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newOwner, type Owner } from './support/owner.ts';

/** What `dry_run: true` promises, held against what the call then does. */

forEachApp((open) => {
  let app: TestApp;
  let owner: Owner;
  beforeAll(async () => {
    app = await open();
  });
  beforeEach(async () => {
    owner = await newOwner(app);
  });
  afterAll(() => app?.close());

  const note = (more: object = {}) => ({ wallet: owner.wallet, key: 'note', data: 'aGk=', ...more });
  const save = (body: object, headers: Record<string, string> = {}) =>
    app.post('/api/tools/save_asset', body, headers);
  const dry = async (headers: Record<string, string> = {}, more: object = {}) =>
    (await save(note({ dry_run: true, ...more }), headers)).body;
  const resize = (image: string, more: object = {}) =>
    app.post('/api/tools/resize_image', { image, width: 8, height: 8, ...more });
  const failed = ({ checks }: { checks: Check[] }) =>
    checks.filter(({ state }) => state === 'failed').map(({ check }) => check);

  test('its response matches its schema', async () => {
    const answers = [await dry(owner.bare), (await resize(EXAMPLE_PNG_B64, { dry_run: true })).body];
    expect(answers.map((body) => quoteAnswer.strict().safeParse(body).error)).toEqual([undefined, undefined]);
  });

  test('the price and the balance after are those of the call', async () => {
    const told = await dry(owner.bare);
    const paid = await save(note(), owner.bare);
    const { body: now } = await app.post('/api/tools/check_balance', { wallet: owner.wallet });
    expect(failed(told)).toEqual([]);
    expect(told.quote).toEqual({
      credit: paid.body.cost.credit,
      usd: paid.body.cost.usd,
      credit_back: paid.body.payment.credit_back,
      affordable: true,
      balance: 10,
      balance_after: now.balance,
    });
  });

  test('leaves nothing behind, whatever key it is sent under', async () => {
    const headers = { ...owner.bare, 'Idempotency-Key': 'one' };
    await dry(headers);
    const { body } = await app.post('/api/tools/check_balance', { wallet: owner.wallet });
    const { body: list } = await app.post('/api/tools/list_assets', { wallet: owner.wallet });
    expect([body.balance, body.held, body.totals.spent, list.count]).toEqual([10, 0, 0, 0]);
    expect((await save(note(), headers)).status).toBe(200);
  });

  test('reports what prevents the payment', async () => {
    const stranger = { Authorization: `Bearer 0x${crypto.randomUUID().replaceAll('-', '')}00000000` };
    expect(failed(await dry())).toEqual(['payer']);
    expect(failed(await dry(stranger))).toEqual(['funds']);
    const session = await owner.signIn();
    const scopes = ['spend', 'assets:write'];
    const poor = await owner.makeKey({ scopes, max_credits: 1 });
    await save(note(), poor.header);
    const done = await owner.makeKey({ scopes, max_credits: 5, max_credits_per_day: 1 });
    await save(note(), done.header);
    const reader = await owner.makeKey({ scopes: ['assets:write'] });
    const rich = await owner.makeKey({ scopes, max_credits: 5, max_credits_per_day: 2 });
    await app.post('/api/wallet/lock', {}, session);
    const open = (await newOwner(app)).wallet;
    expect(failed(await dry(owner.bare, { wallet: open }))).toEqual(['payer']);
    expect(failed(await dry(poor.header))).toEqual(['budget']);
    expect(failed(await dry(done.header))).toEqual(['budget']);
    expect((await dry(done.header)).next_steps[0].why).toContain('would be rejected');
    expect(failed(await dry(reader.header))).toEqual(['payer']);
    expect(failed(await dry(rich.header))).toEqual([]);
  });

  test('with a card payment, the quote does not mention the wallet', async () => {
    const told = await dry({ ...owner.bare, 'X-Payment-Intent': 'pi_1' });
    expect(told.checks).toContainEqual(expect.objectContaining({ check: 'payer', state: 'at_run' }));
    expect(told.quote).not.toHaveProperty('balance');
  });

  test('an empty wallet gets the missing amount, without an invented balance', async () => {
    for (let call = 0; call < 10; call += 1) await save(note(), owner.bare);
    const told = await dry(owner.bare);
    expect(told.quote).toMatchObject({ affordable: false, balance: 0.5 });
    expect(told.quote).not.toHaveProperty('balance_after');
    expect(told.next_steps[0].why).toContain('the wallet has 0.5 available');
  });

  test('reads local images and downloads none', async () => {
    const here = (await resize(EXAMPLE_PNG_B64, { dry_run: true })).body;
    const away = (await resize('https://example.invalid/a.png', { dry_run: true })).body;
    const broken = await resize(Buffer.from('no picture').toString('base64'), { dry_run: true });
    const pictures = ({ checks }: { checks: Check[] }) => checks.find(({ check }) => check === 'pictures')!;
    expect(pictures(here)).toMatchObject({ state: 'passed', detail: expect.stringContaining('image: png') });
    expect(pictures(away).state).toBe('at_run');
    expect(broken.status).toBe(415);
  });

  test('estimates from earlier calls, or reports that there are none', async () => {
    const turned = { image: EXAMPLE_PNG_B64, num_colors: 5 };
    const ask = async () =>
      (await app.post('/api/tools/extract_palette', { ...turned, dry_run: true })).body.estimate;
    expect(await ask()).toMatchObject({ typical_ms: null, runs: 0 });
    await app.post('/api/tools/extract_palette', turned);
    expect(await ask()).toEqual({
      typical_ms: expect.any(Number),
      slow_ms: expect.any(Number),
      runs: 1,
      basis: expect.stringContaining('Measured on this server: one run with between'),
    });
  });
});
