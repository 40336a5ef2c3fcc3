import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeStripe, STRIPE_SECRET, STRIPE_WEBHOOK } from '../../../tests/support/fake_stripe.ts';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { Database } from '../../database/index.ts';
import { PAYMENT_INTENT_CLAIMS_MAX } from '../../limits.ts';
import { createWallets, type Wallets } from '../wallets/index.ts';
import { createPayments, createSimulated, type Payments } from './index.ts';
import { createStripe } from './stripe.ts';

/** Money when replies are lost, calls die and time passes: the official library, a Stripe of our own, and a clock of ours. */

const HOUR_MS = 3_600_000;
const CREDIT = 1000;
const wallet = (): string => `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;

forEachDatabase((_name, open) => {
  describe('payments by Stripe', () => {
    let database: Database;
    let stripe: FakeStripe;
    let wallets: Wallets;
    let payments: Payments;
    let late = 0;
    const warnings: string[] = [];
    const now = () => new Date(Date.now() + late);
    const log = {
      info: () => {},
      warn: (_details: object, message: string) => void warnings.push(message),
    };

    beforeAll(async () => {
      database = await open();
      stripe = await new FakeStripe().open();
      wallets = createWallets(database);
      payments = paymentsOf(STRIPE_SECRET);
    });
    afterAll(() => stripe.close());

    const paymentsOf = (secretKey: string) =>
      createPayments({
        database,
        processor: createStripe({ secretKey, webhookSecret: STRIPE_WEBHOOK, apiUrl: stripe.url, log }),
        publicUrl: 'http://atelier.test',
        log,
        clock: now,
      });
    const intent = async (more: object = {}): Promise<string> => {
      const created = await payments.createIntent({ tool: 'paint', price: 2 * CREDIT, quantity: 1, ...more });
      return created.intent.id;
    };
    const paid = async (more: object = {}): Promise<string> => {
      const id = await intent(more);
      stripe.pay(id);
      return id;
    };
    const hold = (intentId: string, more: object = {}) =>
      payments.holdCall({
        intentId,
        tool: 'paint',
        price: 2 * CREDIT,
        wallet: undefined,
        expiresAt: new Date(now().getTime() + HOUR_MS / 4),
        ...more,
      });
    const use = async (intentId: string, more: object = {}) => {
      const held = await hold(intentId, more);
      await payments.settleCall(held);
      return held;
    };
    const stateOf = async (id: string) => (await payments.findIntent(id))?.state;
    const balanced = async () => expect((await wallets.audit()).problems).toEqual([]);
    const atLate = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
      late = ms;
      try {
        return await work();
      } finally {
        late = 0;
      }
    };

    test('what is left beyond whole calls goes to the wallet, which is registered by it', async () => {
      const payer = wallet();
      const id = await paid({ wallet: payer });
      expect(await use(id)).toMatchObject({ left: 2 * CREDIT });
      // 0.50 USD are two calls of 0.20 and one credit; 10 of welcome and 5 % of the call beside.
      expect((await wallets.find(payer))?.balance).toBe(11 * CREDIT + 100);
      await use(id);
      await expect(use(id)).rejects.toMatchObject({ code: 'payment_intent_used' });
      await balanced();
    });

    test('without a wallet what is left stays with the intent', async () => {
      const id = await paid();
      expect(await use(id)).toMatchObject({ left: 3 * CREDIT });
      expect(await use(id, { price: CREDIT })).toMatchObject({ left: 2 * CREDIT });
      await use(id);
      await balanced();
    });

    test('of two hundred spenders at once on an intent of a hundred calls, a hundred are paid', async () => {
      const id = await paid({ quantity: 101 });
      await use(id);
      const uses = await Promise.allSettled(Array.from({ length: 200 }, () => use(id)));
      expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
      await balanced();
    });

    test.each([
      ['another tool', { tool: 'print' }, 'payment_intent_tool_mismatch'],
      ['a dearer call', { price: 6 * CREDIT }, 'payment_insufficient'],
    ])('refuses %s, before and after the capture, and stays good', async (_what, more, code) => {
      const id = await paid();
      await expect(hold(id, more)).rejects.toMatchObject({ code, status: 402 });
      await use(id);
      await expect(hold(id, more)).rejects.toMatchObject({ code, status: 402 });
      await use(id);
    });

    test.each([
      ['amount', { amount: 49 }],
      ['currency', { currency: 'jpy' }],
      ['mode', { livemode: true }],
      ['tool', { metadata: { kind: 'tool_call', tool_name: 'print' } }],
      ['kind', { metadata: {} }],
      ['state: canceled', { status: 'canceled' }],
    ])('an intent that has another %s at the processor does not pay', async (_what, changes) => {
      const id = await paid();
      Object.assign(stripe.thing(id), changes);
      await expect(hold(id)).rejects.toMatchObject({ code: 'payment_intent_void' });
      expect(await stateOf(id)).toBe('open');
    });

    test('an intent of another mode or processor does not pay', async () => {
      const id = await paid();
      await use(id);
      const simulated = createSimulated({ database, publicUrl: 'http://atelier.test' });
      const others = [
        paymentsOf('sk_live_1'),
        createPayments({ database, processor: simulated, publicUrl: 'http://atelier.test', log }),
      ];
      for (const other of others) {
        const call = { intentId: id, tool: 'paint', price: CREDIT, wallet: undefined, expiresAt: now() };
        await expect(other.holdCall(call)).rejects.toMatchObject({ code: 'payment_intent_void' });
      }
    });

    test('a card that was charged at once, not held, pays as well', async () => {
      const id = await paid();
      Object.assign(stripe.thing(id), { status: 'succeeded', amount_received: 50 });
      await use(id);
      expect(await stateOf(id)).toBe('captured');
    });

    test('a lost reply to a capture is asked for again, under the same key', async () => {
      const id = await paid();
      stripe.faults.push({ path: /capture/, how: 'lost', times: 1 });
      await use(id);
      const keys = stripe.requests.filter(({ path }) => path.includes(`${id}/capture`)).map(({ key }) => key);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      await balanced();
    });

    test.each(['deaf', 'lost', 'broken'] as const)(
      'when nobody can tell whether a capture came through (%s), the answer is withheld and nobody pays twice',
      { timeout: 30_000 },
      async (how) => {
        const id = await paid();
        const held = await hold(id);
        stripe.faults.push(
          { path: /capture/, how, times: 3 },
          { path: /GET .*payment_intents/, how: 'deaf', times: 3 },
        );
        await expect(payments.settleCall(held)).rejects.toMatchObject({
          code: 'payment_unknown',
          status: 503,
        });
        await payments.releaseCall(held);
        expect(await stateOf(id)).toBe('unknown');
        stripe.faults.push({ path: /GET .*payment_intents/, how: 'deaf', times: 3 });
        await expect(hold(id)).rejects.toMatchObject({ code: 'payment_unknown' });
        // The same call again, and then until it is used up: two calls in all, whatever happened before.
        await use(id);
        await use(id);
        await expect(use(id)).rejects.toMatchObject({ code: 'payment_intent_used' });
        expect(stripe.thing(id)).toMatchObject({ status: 'succeeded', amount_received: 50 });
        await balanced();
      },
    );

    test('the sweeper finds out what became of a capture', { timeout: 30_000 }, async () => {
      const id = await paid();
      const held = await hold(id);
      stripe.faults.push(
        { path: /capture/, how: 'lost', times: 3 },
        { path: /GET .*payment_intents/, how: 'deaf', times: 3 },
      );
      await payments.settleCall(held).catch(() => {});
      expect(await payments.sweep(now())).toBe(1);
      expect(await stateOf(id)).toBe('captured');
      expect(await use(id)).toMatchObject({ left: 3 * CREDIT });
      await balanced();
    });

    test('a card refused at the capture costs nothing, and the intent can be paid again', async () => {
      const id = await paid();
      stripe.thing(id).declineCapture = true;
      const held = await hold(id);
      await expect(payments.settleCall(held)).rejects.toMatchObject({ code: 'payment_failed', status: 402 });
      await expect(hold(id)).rejects.toMatchObject({ code: 'payment_not_authorized' });
      Object.assign(stripe.thing(id), { declineCapture: false });
      stripe.pay(id);
      await use(id);
      await balanced();
    });

    test('the claim of a call that died is let go of, and a late finisher is not paid', async () => {
      const id = await paid();
      const dead = await hold(id);
      expect(await payments.sweep(now())).toBe(0);
      await atLate(HOUR_MS, () => payments.sweep(now()));
      await use(id);
      await expect(payments.settleCall(dead)).rejects.toMatchObject({ code: 'payment_unknown' });
      expect((await payments.findIntent(id))?.state).toBe('captured');
      await balanced();
    });

    test('after ten failed calls an intent is let go of, and the card is charged nothing', async () => {
      const id = await paid();
      for (let call = 0; call < PAYMENT_INTENT_CLAIMS_MAX; call += 1) {
        await payments.releaseCall(await hold(id));
      }
      await expect(hold(id)).rejects.toMatchObject({ code: 'payment_intent_void' });
      expect([await stateOf(id), stripe.thing(id).status]).toEqual(['canceled', 'canceled']);
      await balanced();
    });

    test('an intent with nine failed calls behind it pays all it is for', async () => {
      const id = await paid();
      for (let call = 1; call < PAYMENT_INTENT_CLAIMS_MAX; call += 1) {
        await payments.releaseCall(await hold(id));
      }
      for (let call = 0; call < 2; call += 1) await use(id);
      await expect(use(id)).rejects.toMatchObject({ code: 'payment_intent_used' });
    });

    test('after a restart every claim is of a call that died', async () => {
      const [claimed, capturing] = [await paid(), await paid()];
      await hold(claimed);
      await hold(capturing);
      await database.query(`update payment_intents set state = 'capturing' where id = $1`, [capturing]);
      stripe.thing(capturing).status = 'succeeded';
      expect(await payments.sweep(now(), true)).toBe(2);
      expect([await stateOf(claimed), await stateOf(capturing)]).toEqual(['open', 'unknown']);
      await use(claimed);
      await use(capturing);
      await balanced();
    });

    test('what nobody used within a day is let go of; a card already charged gets its money back', async () => {
      const [unpaid, held, charged] = [await intent(), await paid(), await paid()];
      stripe.thing(charged).status = 'succeeded';
      await atLate(25 * HOUR_MS, () => payments.sweep(now()));
      for (const id of [unpaid, held, charged]) expect(await stateOf(id)).toBe('canceled');
      expect([stripe.thing(unpaid).status, stripe.thing(held).status]).toEqual(['canceled', 'canceled']);
      expect(stripe.thing(stripe.thing(charged).latest_charge).refunded).toBe(true);
      await expect(hold(held)).rejects.toMatchObject({ code: 'payment_intent_void' });
    });

    test('what nobody paid is forgotten after a month, what was paid never', async () => {
      const [unpaid, used] = [await intent(), await paid()];
      await use(used);
      await atLate(25 * HOUR_MS, () => payments.sweep(now()));
      await atLate(32 * 24 * HOUR_MS, () => payments.sweep(now()));
      expect([await payments.findIntent(unpaid), await stateOf(used)]).toEqual([undefined, 'captured']);
    });

    test('a processor out of reach does not lose what is to be let go of', { timeout: 60_000 }, async () => {
      const id = await paid();
      stripe.faults.push({ path: /./, how: 'deaf', times: 3 });
      await atLate(25 * HOUR_MS, () => payments.sweep(now()));
      expect(warnings.at(-1)).toContain('tried again');
      expect(await stateOf(id)).toBe('unknown');
      await atLate(26 * HOUR_MS, () => payments.sweep(now()));
      await atLate(27 * HOUR_MS, () => payments.sweep(now()));
      expect(await stateOf(id)).toBe('canceled');
    });

    test('a lost reply while an intent is made does not make two', async () => {
      stripe.faults.push({ path: /POST .*payment_intents$/, how: 'lost', times: 1 });
      const before = stripe.requests.length;
      await intent();
      const keys = stripe.requests.slice(before).map(({ key }) => key);
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    });

    const checkout = async (payer: string, requestedBy: string = crypto.randomUUID()): Promise<string> =>
      (
        await payments.startCheckout({
          pack: 'starter',
          title: 'Starter',
          amountCents: 500,
          amount: 50 * CREDIT,
          wallet: payer,
          requestedBy,
        })
      ).id;

    test('the same request within a minute is the same checkout, of another caller or later another', async () => {
      const payer = wallet();
      const minute = 60_000 - (Date.now() % 60_000);
      const [one, again, other] = await atLate(minute, async () => [
        await checkout(payer, 'me'),
        await checkout(payer, 'me'),
        await checkout(payer, 'you'),
      ]);
      const later = await atLate(minute + 60_000, () => checkout(payer, 'me'));
      expect(again).toBe(one);
      expect(new Set([one, other, later]).size).toBe(3);
    });

    test('a payment no notice tells of is found by the sweeper; what was not paid expires', async () => {
      const [payer, other] = [wallet(), wallet()];
      const [bought, left] = [await checkout(payer), await checkout(other)];
      stripe.pay(bought);
      stripe.thing(left).status = 'expired';
      await atLate(2 * HOUR_MS, () => payments.sweep(now()));
      expect((await wallets.find(payer))?.balance).toBe(60 * CREDIT);
      expect((await payments.fulfil(left))?.state).toBe('expired');
      expect(await wallets.find(other)).toBeUndefined();
    });

    test('money that arrives after a checkout has ended is granted all the same', async () => {
      const payer = wallet();
      const id = await checkout(payer);
      stripe.thing(id).status = 'expired';
      await payments.fulfil(id);
      stripe.pay(id);
      expect((await payments.fulfil(id))?.state).toBe('granted');
      expect((await wallets.find(payer))?.balance).toBe(60 * CREDIT);
    });

    test.each([
      ['amount', { amount_total: 499 }],
      ['currency', { currency: 'jpy' }],
      ['mode', { livemode: true }],
    ])('a checkout paid in another %s grants nothing, ever', async (_what, changes) => {
      const payer = wallet();
      const id = await checkout(payer);
      stripe.pay(id);
      Object.assign(stripe.thing(id), changes);
      expect((await payments.fulfil(id))?.state).toBe('refused');
      expect((await payments.fulfil(id))?.state).toBe('refused');
      expect(await wallets.find(payer)).toBeUndefined();
    });

    test('part of the money back takes that part of the credits', async () => {
      const payer = wallet();
      const id = await checkout(payer);
      stripe.pay(id);
      await payments.fulfil(id);
      stripe.reverse(id, 'refund', 125);
      await payments.review(stripe.intentOf(id).id);
      expect((await wallets.find(payer))?.balance).toBe(47.5 * CREDIT);
      stripe.thing(stripe.intentOf(id).latest_charge).amount_refunded = 0;
      await payments.review(stripe.intentOf(id).id);
      expect((await wallets.find(payer))?.balance).toBe(60 * CREDIT);
      await balanced();
    });

    test('movements of every kind at once on one wallet never wait for each other in a circle', async () => {
      const payer = wallet();
      await wallets.register(payer);
      const call = async () => {
        const expiresAt = new Date(Date.now() + HOUR_MS);
        const hold_ = { id: crypto.randomUUID(), wallet: payer, amount: 10, tool: 'paint', expiresAt };
        await wallets.settle(await wallets.hold(hold_));
      };
      const purchase = async () => {
        const id = await checkout(payer);
        stripe.pay(id);
        await Promise.all([payments.fulfil(id), payments.fulfil(id)]);
        stripe.reverse(id, 'dispute');
        const review = () => payments.review(stripe.intentOf(id).id);
        await Promise.all([review(), review(), payments.sweep(now())]);
        stripe.reverse(id, 'dispute_won');
        await review();
      };
      const byCard = async () => {
        const id = await paid({ wallet: payer });
        await use(id, { wallet: payer });
        await Promise.all([use(id, { wallet: payer }), wallets.expireHolds(now())]);
        stripe.reverse(id, 'refund');
        await payments.review(id);
      };
      const work = Array.from({ length: 12 }, () => [call(), purchase(), byCard(), call()]).flat();
      expect((await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')).toEqual([]);
      // 10 of welcome, 12 packs, 24 calls less their credit-back, 24 credit-backs of card calls; the surplus went back.
      expect((await wallets.find(payer))?.balance).toBe((10 + 600) * CREDIT - 24 * 10 + 24 * 100);
      await balanced();
    });

    test('what is owed is collected by the sweeper from whatever comes in', async () => {
      const payer = wallet();
      const id = await checkout(payer);
      stripe.pay(id);
      await payments.fulfil(id);
      const held = await wallets.hold({
        id: crypto.randomUUID(),
        wallet: payer,
        amount: 55 * CREDIT,
        tool: 'paint',
        expiresAt: new Date(Date.now() + HOUR_MS),
      });
      stripe.reverse(id, 'dispute');
      await payments.review(stripe.intentOf(id).id);
      expect((await wallets.find(payer))?.available).toBe(0);
      await wallets.release(held);
      await payments.sweep(now());
      expect((await wallets.find(payer))?.balance).toBe(10 * CREDIT);
      expect(await wallets.find(payer)).toMatchObject({
        totals: { purchased: 0, spent: 0, granted: 10_000 },
      });
      await balanced();
    });
  });
});
