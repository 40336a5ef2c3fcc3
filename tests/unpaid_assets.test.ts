import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stripeBank } from './support/banks.ts';
import { type FakeFacilitator, startFakeFacilitator } from './support/fake_facilitator.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newPayer, v2, X402_SETTINGS } from './support/x402_payer.ts';

/** What a call has saved stays exactly when it was paid, by card and by x402. By credits: src/features/assets/unpaid.test.ts. */

const NOTE = { key: 'note', content_type: 'text/plain' };
const text64 = (text: string): string => Buffer.from(text).toString('base64');

forEachApp((open) => {
  let app: TestApp;
  const close: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const one of close) await one();
  });

  const save = async (wallet: string, headers: Record<string, string>, text = 'new') =>
    (await app.post('/api/tools/save_asset', { ...NOTE, wallet, data: text64(text) }, headers)).body;
  const noted = async (wallet: string): Promise<string | undefined> => {
    const { body } = await app.post('/api/tools/get_asset', { wallet, key: 'note' });
    return body.data === undefined ? undefined : Buffer.from(body.data, 'base64').toString();
  };
  const problems = async () => (await app.get('/api/ledger/invariants')).body.problems;

  describe('by x402', () => {
    let facilitator: FakeFacilitator;
    beforeAll(async () => {
      facilitator = await startFakeFacilitator();
      app = await open({ ...X402_SETTINGS(facilitator.url), EVM_RPC_URL: facilitator.rpcUrl });
      close.push(app.close, facilitator.close);
    });

    test('stays after settlement; a refusal restores the previous asset', async () => {
      const payer = newPayer();
      await save(payer.wallet, v2(await payer.pay()), 'old');
      facilitator.fail('/settle', { kind: 'answer', status: 200, body: REFUSED });
      expect((await save(payer.wallet, v2(await payer.pay()))).code).toBe('payment_not_settled');
      expect(await noted(payer.wallet)).toBe('old');
      expect(await problems()).toEqual([]);
    });

    test('of ten payments with money for one, one has saved something', async () => {
      const payer = newPayer();
      facilitator.balances.set(payer.wallet, 100_000n);
      const payments = await Promise.all(Array.from({ length: 10 }, () => payer.pay()));
      const bodies = await Promise.all(
        payments.map((payment, at) =>
          app.post(
            '/api/tools/save_asset',
            { ...NOTE, wallet: payer.wallet, key: `${at}`, data: text64('new') },
            v2(payment),
          ),
        ),
      );
      const { body } = await app.post('/api/tools/list_assets', { wallet: payer.wallet });
      const paid = bodies.filter(({ status }) => status === 200).map(({ body: { key } }) => key);
      expect([paid.length, body.assets.map(({ key }: { key: string }) => key)]).toEqual([1, paid]);
      expect(await problems()).toEqual([]);
    });

    test('with an unknown settlement the asset stays, permanently once settled', async () => {
      const payer = newPayer();
      const payment = v2(await payer.pay());
      facilitator.fail('/settle', { kind: 'lose_reply' }, { kind: 'hang_up' });
      expect((await save(payer.wallet, payment)).code).toBe('payment_unconfirmed');
      expect(await noted(payer.wallet)).toBe('new');
      await expect
        .poll(async () => (await save(payer.wallet, payment)).sha256, { timeout: 10_000, interval: 200 })
        .toBeDefined();
      expect(await noted(payer.wallet)).toBe('new');
      expect(await problems()).toEqual([]);
    });
  });

  describe('by the first call of a card', () => {
    let bank: Awaited<ReturnType<typeof stripeBank>>;
    beforeAll(async () => {
      bank = await stripeBank();
      app = await open(bank.settings);
      close.push(app.close, bank.close);
    });
    const card = async () => {
      const { body } = await app.post('/api/create-payment-intent', { tool_name: 'save_asset' });
      await bank.pay(app, body.id);
      return { id: body.id as string, headers: { 'X-Payment-Intent': body.id as string } };
    };

    test('stays after capture; a refused capture restores the previous asset', async () => {
      const { wallet } = newPayer();
      await save(wallet, (await card()).headers, 'old');
      const { id, headers } = await card();
      bank.stripe.thing(id).declineCapture = true;
      expect((await save(wallet, headers)).code).toBe('payment_failed');
      expect(await noted(wallet)).toBe('old');
      expect(await problems()).toEqual([]);
    });

    test('with an unknown capture the asset is removed, and the retry saves it', async () => {
      const { wallet } = newPayer();
      const { headers } = await card();
      bank.stripe.faults.push(
        { path: /capture/, how: 'lost', times: 3 },
        { path: /GET .*payment_intents/, how: 'deaf', times: 0 },
      );
      bank.stripe.onDone = ({ path }) => {
        if (path.endsWith('/capture')) bank.stripe.faults.at(-1)!.times = 3;
      };
      expect((await save(wallet, headers)).code).toBe('payment_unknown');
      expect(await noted(wallet)).toBeUndefined();
      bank.stripe.faults.at(-1)!.times = 0;
      bank.stripe.onDone = () => {};
      const repeated = await save(wallet, headers);
      expect(repeated).toMatchObject({ overwritten: false, payment: { charged_usd: 0, calls_left: 4 } });
      expect(await noted(wallet)).toBe('new');
      expect(await problems()).toEqual([]);
    });
  });
});

const REFUSED = {
  success: false,
  errorReason: 'insufficient_funds',
  transaction: '',
  network: '',
  payer: '',
};
