import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { type Bank, simulatedBank, stripeBank } from './support/banks.ts';
import { forEachApp } from './support/for_each_app.ts';
import { lintOpenApi } from './support/lint_openapi.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';

/** What cards buy, over the whole service: the same suite for every processor. */

const BANKS: [name: string, open: () => Promise<Bank>][] = [
  ['simulated', simulatedBank],
  ['stripe', stripeBank],
];

const freshWallet = (): string => `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;

forEachApp((open) => {
  describe.each(BANKS)('%s cards', (_name, openBank) => {
    let bank: Bank;
    let app: TestApp;
    beforeAll(async () => {
      bank = await openBank();
      app = await open(bank.settings);
    });
    afterAll(async () => {
      await app.close();
      await bank.close();
    });

    const intent = async (more: object = {}): Promise<{ id: string; [name: string]: unknown }> =>
      (await app.post('/api/create-payment-intent', { tool_name: 'save_asset', ...more })).body;
    const paidIntent = async (more: object = {}): Promise<string> => {
      const { id } = await intent(more);
      await bank.pay(app, id);
      return id;
    };
    const save = (id: string, headers: Record<string, string> = {}, body: object = {}) =>
      app.post(
        '/api/tools/save_asset',
        { wallet: freshWallet(), key: 'k', data: 'aGVsbG8=', ...body },
        { 'X-Payment-Intent': id, ...headers },
      );
    const saveOverMcp = async (id: string, more: object = {}) => {
      const { body } = await app.post(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'save_asset',
            arguments: { wallet: freshWallet(), key: 'k', data: 'aGVsbG8=' },
            ...more,
          },
        },
        { 'X-Payment-Intent': id },
      );
      return body.result as { isError?: boolean; structuredContent: Record<string, unknown> };
    };
    const balanceOf = async (wallet: string): Promise<number> =>
      (await app.post('/api/tools/check_balance', { wallet })).body.balance;
    const buy = async (wallet: string, pack = 'starter', quantity = 1): Promise<string> => {
      const { body } = await app.post('/api/credits/checkout', { wallet, pack, quantity });
      await bank.pay(app, body.session_id);
      await app.get(`/paid?session_id=${body.session_id}`);
      return body.session_id;
    };
    const balanced = async () =>
      expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true });

    test('the description of the service is sound and offers the card', async () => {
      const { body } = await app.get('/openapi.json');
      expect(lintOpenApi(body)).toBe('');
      const { offers } = body.paths['/api/tools/save_asset'].post['x-payment-info'];
      expect(offers).toContainEqual(
        expect.objectContaining({ method: 'card', amount: '50', currency: 'usd' }),
      );
    });

    describe('an intent', () => {
      test('cannot pay for a job, reports this, and still pays for a call', async () => {
        const id = await paidIntent();
        const { status, body } = await save(id, { Prefer: 'respond-async' });
        expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_required' });
        expect(body.detail).toContain('credits only');
        expect((await save(id)).status).toBe(200);
      });

      test('describes the purchase and the payment page', async () => {
        expect(await intent()).toMatchObject({
          id: expect.stringMatching(/^pi_/),
          client_secret: expect.stringContaining('_secret_'),
          amount: 50,
          currency: 'usd',
          amount_usd: 0.5,
          tool_price_usd: 0.1,
          calls: 5,
          surplus_usd: 0,
          livemode: false,
          status: 'requires_payment_method',
          header: { name: 'X-Payment-Intent' },
          pay_url: expect.stringContaining('/pay/pi_'),
        });
      });

      test('costs the total of several calls above the minimum', async () => {
        expect(await intent({ quantity: 12 })).toMatchObject({ amount: 120, calls: 12 });
      });

      test('an unpaid intent does not pay, over REST and MCP', async () => {
        const { id } = await intent();
        const { status, body } = await save(id);
        expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_not_authorized' });
        expect(body.payment_intent).toMatchObject({ id, pay_url: expect.stringContaining(`/pay/${id}`) });
        expect(await saveOverMcp(id)).toMatchObject({
          isError: true,
          structuredContent: { code: 'payment_not_authorized' },
        });
      });

      test('whose card was declined does not pay', async () => {
        const { id } = await intent();
        await bank.decline(app, id);
        expect((await save(id)).body.code).toBe('payment_not_authorized');
      });

      test('that was paid pays for as many calls as it covers, and not for one more', async () => {
        const id = await paidIntent();
        const first = await save(id);
        expect(first.body).toMatchObject({
          cost: { credit: 1, usd: 0.1 },
          payment: {
            method: 'card',
            payment_intent_id: id,
            charged_usd: 0.5,
            calls_left: 4,
            livemode: false,
          },
        });
        for (let left = 3; left >= 1; left -= 1) {
          expect((await save(id)).body.payment).toMatchObject({ charged_usd: 0, calls_left: left });
        }
        expect(await saveOverMcp(id)).toMatchObject({ structuredContent: { payment: { calls_left: 0 } } });
        expect((await save(id)).body.code).toBe('payment_intent_used');
        expect(await saveOverMcp(id)).toMatchObject({ structuredContent: { code: 'payment_intent_used' } });
        await balanced();
      });

      test('of another tool does not pay, over REST and MCP, before and after its money is used', async () => {
        const id = await paidIntent();
        const other = { image: EXAMPLE_PNG_B64 };
        const refused = async () => [
          (await app.post('/api/tools/upscale_image', other, { 'X-Payment-Intent': id })).body.code,
          (await saveOverMcp(id, { name: 'upscale_image', arguments: other })).structuredContent.code,
        ];
        expect(await refused()).toEqual(Array(2).fill('payment_intent_tool_mismatch'));
        for (let call = 0; call < 5; call += 1) await save(id);
        expect(await refused()).toEqual(Array(2).fill('payment_intent_tool_mismatch'));
        expect((await save(id)).body.code).toBe('payment_intent_used');
      });

      test('we never made does not pay, whatever it looks like', async () => {
        for (const id of [
          'pi_unknown',
          'pi_sim_000000000000000000000000',
          "pi_1' or '1'='1",
          'x'.repeat(5000),
          '💳',
        ]) {
          const { status, body } = await save(encodeURIComponent(id));
          expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_intent_not_found' });
        }
      });

      test('pasted with its secret pays all the same', async () => {
        const { id, client_secret: secret } = await intent();
        await bank.pay(app, id);
        expect((await save(String(secret))).status).toBe(200);
      });

      test('is untouched by input that needs correcting and by calls that fail', async () => {
        const id = await paidIntent();
        expect((await save(id, {}, { key: '' })).status).toBe(400);
        const wrong = await save(id, {}, { data: 'upload:upl_absent' });
        expect(wrong.status).toBeGreaterThanOrEqual(400);
        const missing = { wallet: freshWallet(), key: 'k', data: 'upload:upl_absent' };
        expect(await saveOverMcp(id, { arguments: missing })).toMatchObject({ isError: true });
        expect((await save(id)).body.payment).toMatchObject({ charged_usd: 0.5, calls_left: 4 });
      });

      test('is claimed by one of many simultaneous calls', async () => {
        const id = await paidIntent();
        const replies = await Promise.all(Array.from({ length: 12 }, () => save(id)));
        const paid = replies.filter(({ status }) => status === 200);
        const charged = paid.filter(({ body }) => body.payment.charged_usd > 0);
        expect(charged).toHaveLength(1);
        expect(paid.length).toBeLessThanOrEqual(5);
        expect(replies.every(({ status }) => status === 200 || status === 402)).toBe(true);
        await balanced();
      });

      test('each prepaid call is used once by simultaneous calls', async () => {
        const id = await paidIntent();
        await save(id);
        const replies = await Promise.all(Array.from({ length: 20 }, () => save(id)));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
        await balanced();
      });

      test('returns the same bytes for a repeat with an Idempotency-Key and uses one call', async () => {
        const id = await paidIntent();
        const wallet = freshWallet();
        const key = { 'Idempotency-Key': crypto.randomUUID() };
        const [first, second] = [await save(id, key, { wallet }), await save(id, key, { wallet })];
        expect(second.text).toBe(first.text);
        expect((await save(id)).body.payment).toMatchObject({ calls_left: 3 });
        expect((await save(id, key, { wallet: freshWallet() })).status).toBe(422);
      });

      test('a refunded or disputed intent stops paying, and pays again after a won dispute', async () => {
        const [refunded, disputed] = [await paidIntent(), await paidIntent()];
        await save(refunded);
        await save(disputed);
        await bank.reverse(app, refunded, 'refund');
        await bank.reverse(app, disputed, 'dispute');
        expect((await save(refunded)).body.code).toBe('payment_intent_void');
        expect((await save(disputed)).body.code).toBe('payment_intent_void');
        await bank.reverse(app, disputed, 'dispute_won');
        expect((await save(disputed)).body.payment).toMatchObject({ calls_left: 3 });
        await balanced();
      });

      test('credits the credit-back to its wallet, and cannot pay for others', async () => {
        const [wallet, other] = [freshWallet(), freshWallet()];
        await app.post('/api/wallet/register', { wallet });
        const id = await paidIntent({ wallet });
        const { body } = await save(id, {}, { wallet });
        expect(body.payment).toMatchObject({ wallet, credit_back: 0.05 });
        expect(await balanceOf(wallet)).toBe(10.05);
        const stranger = await save(id, { Authorization: `Bearer ${other}` }, { wallet: other });
        expect(stranger.body.code).toBe('payment_intent_wallet_mismatch');
        await balanced();
      });

      test('takes precedence over the credits of the wallet in the same request', async () => {
        const wallet = freshWallet();
        await app.post('/api/wallet/register', { wallet });
        const id = await paidIntent();
        await save(id, { Authorization: `Bearer ${wallet}` }, { wallet });
        expect(await balanceOf(wallet)).toBe(10.05);
      });

      test('made for a locked wallet does not act for it', async () => {
        const owner = await newOwner(app);
        await app.post('/api/wallet/lock', {}, await owner.signIn());
        const id = await paidIntent({ wallet: owner.wallet });
        expect((await save(id, {}, { wallet: owner.wallet })).body.code).toBe('wallet_locked');
        expect((await save(id, owner.bare, { wallet: owner.wallet })).body.code).toBe('wallet_locked');
        expect((await save(id)).status).toBe(200);
      });

      test.each([
        [{ tool_name: 'no_such_tool' }, 404, 'unknown_tool'],
        [{ tool_name: 'resize_image' }, 400, 'tool_is_free'],
        [{}, 400, 'invalid_input'],
        [{ tool_name: 'save_asset', quantity: -1 }, 400, 'invalid_input'],
        [{ tool_name: 'save_asset', quantity: 1.5 }, 400, 'invalid_input'],
        [{ tool_name: 'save_asset', quantity: 1e15 }, 400, 'invalid_input'],
        [{ tool_name: 'save_asset', wallet: 'me' }, 400, 'invalid_input'],
      ])('cannot be made of %j', async (body, status, code) => {
        const reply = await app.post('/api/create-payment-intent', body);
        expect({ status: reply.status, code: reply.body.code }).toEqual({ status, code });
      });
    });

    describe('a credit pack', () => {
      test('leads a person on to the payment and grants the credits once', async () => {
        const wallet = freshWallet();
        const { status, headers } = await app.get(`/checkout/pro?wallet=${wallet}`);
        expect(status).toBe(303);
        const id = bank.checkoutOf(headers.get('location')!);
        expect((await app.get(`/paid?session_id=${id}`)).text).toContain('Not paid yet');
        await bank.pay(app, id);
        const pages = await Promise.all(Array.from({ length: 8 }, () => app.get(`/paid?session_id=${id}`)));
        expect(pages.every(({ text }) => text.includes('600 credits'))).toBe(true);
        expect(await balanceOf(wallet)).toBe(610);
        await balanced();
      });

      test('several can be bought at once by a program', async () => {
        const wallet = freshWallet();
        await buy(wallet, 'starter', 3);
        expect(await balanceOf(wallet)).toBe(160);
      });

      test('grants nothing before it is paid', async () => {
        const wallet = freshWallet();
        const { body } = await app.post('/api/credits/checkout', { wallet, pack: 'studio' });
        await app.get(`/paid?session_id=${body.session_id}`);
        expect(await balanceOf(wallet)).toBe(0);
      });

      test('a refunded purchase removes its credits, as far as the wallet has them', async () => {
        const wallet = freshWallet();
        const id = await buy(wallet);
        await bank.reverse(app, id, 'refund');
        await bank.reverse(app, id, 'refund');
        expect(await balanceOf(wallet)).toBe(10);
        await balanced();
      });

      test('credits spent before a reversal are owed and deducted from the next purchase', async () => {
        const wallet = freshWallet();
        const bearer = { Authorization: `Bearer ${wallet}` };
        const id = await buy(wallet);
        const spend = () => app.post('/api/tools/save_asset', { wallet, key: 'k', data: 'aGVsbG8=' }, bearer);
        for (let call = 0; call < 20; call += 1) await spend();
        await bank.reverse(app, id, 'dispute');
        expect(await balanceOf(wallet)).toBe(0);
        expect((await spend()).body.code).toBe('insufficient_credits');
        await buy(wallet);
        expect(await balanceOf(wallet)).toBe(41);
        await bank.reverse(app, id, 'dispute_won');
        expect(await balanceOf(wallet)).toBe(91);
        await balanced();
      });

      test('for a link that names no wallet asks for it, and a preview starts nothing', async () => {
        expect((await app.get('/checkout/starter')).text).toContain('name="wallet"');
        const preview = await app.get(`/checkout/starter?wallet=${freshWallet()}`, {
          'User-Agent': 'Slackbot 1.0',
        });
        expect(preview.status).toBe(200);
      });

      test.each([
        ['/checkout/gold', 400],
        ['/checkout/starter?wallet=0x1', 400],
        ['/paid?session_id=cs_unknown', 404],
        ['/pay/pi_unknown', 404],
        ['/paid', 400],
      ])('%s is %i', async (path, status) => {
        expect((await app.get(path)).status).toBe(status);
      });

      test.each([0, -1, 1.5, 1e12, '1'])('cannot be bought %j times', async (quantity) => {
        const reply = await app.post('/api/credits/checkout', {
          wallet: freshWallet(),
          pack: 'pro',
          quantity,
        });
        expect(reply.body.code).toBe('invalid_input');
      });
    });
  });

  describe('without cards', () => {
    test('tools that need a wallet report it, and the 402 does not offer this method', async () => {
      const app = await open({ PAYMENTS: 'off' });
      const asked = [
        await app.post('/api/create-payment-intent', { tool_name: 'save_asset' }),
        await app.get(`/checkout/pro?wallet=${freshWallet()}`),
        await app.post('/api/tools/save_asset', {}, { 'X-Payment-Intent': 'pi_1' }),
      ];
      expect(asked.map(({ status, body }) => [status, body.code])).toEqual(
        asked.map(() => [503, 'payments_not_configured']),
      );
      const unpaid = await app.post('/api/tools/save_asset', {});
      expect(unpaid.body.payment_options).toHaveLength(1);
      expect((await app.post('/api/dev/confirm-payment-intent', {})).status).toBe(404);
      await app.close();
    });
  });
});
