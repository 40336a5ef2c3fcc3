import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeStripe, STRIPE_SECRET, STRIPE_WEBHOOK } from '../../../tests/support/fake_stripe.ts';
import { openEmbeddedDatabase } from '../../../tests/support/open_embedded_database.ts';
import { needs } from '../../../tests/support/test_requirements.ts';
import type { Database } from '../../core/database/types.ts';
import type { Processor } from './processor.ts';
import { createSimulated } from './simulated/simulated.ts';
import { createStripe } from './stripe.ts';

/** Contract of every processor: the same suite for all, and for the test mode of Stripe where a key is set. */

interface Bench {
  readonly processor: Processor;
  /** Pays an intent with a card. */
  pay(id: string): Promise<unknown>;
  /** Pays a checkout; absent where only a person can. */
  payCheckout?(id: string): Promise<unknown>;
  refund(id: string): Promise<unknown>;
  dispute?(id: string, how: 'dispute' | 'dispute_won'): Promise<unknown>;
  close(): Promise<void>;
}

const LOG = { info: () => {}, warn: () => {} };

async function simulated(): Promise<Bench> {
  const database: Database = await openEmbeddedDatabase();
  const processor = createSimulated({ database, publicUrl: 'http://atelier.test' });
  return {
    processor,
    pay: (id) => processor.desk.pay(id, '4242 4242 4242 4242'),
    payCheckout: (id) => processor.desk.pay(id, '4242 4242 4242 4242'),
    refund: (id) => processor.desk.reverse(id, 'refund'),
    dispute: (id, how) => processor.desk.reverse(id, how),
    close: () => database.close(),
  };
}

async function fakeStripe(): Promise<Bench> {
  const stripe = await new FakeStripe().open();
  const processor = createStripe({
    secretKey: STRIPE_SECRET,
    webhookSecret: STRIPE_WEBHOOK,
    apiUrl: stripe.url,
    logger: LOG,
  });
  return {
    processor,
    pay: async (id) => stripe.pay(id),
    payCheckout: async (id) => stripe.pay(id),
    refund: async (id) => stripe.reverse(id, 'refund'),
    dispute: async (id, how) => stripe.reverse(id, how),
    close: () => stripe.close(),
  };
}

const testKey = process.env.STRIPE_TEST_KEY;

async function realStripe(): Promise<Bench> {
  const stripe = new Stripe(testKey!);
  return {
    processor: createStripe({ secretKey: testKey!, webhookSecret: STRIPE_WEBHOOK, logger: LOG }),
    pay: (id) => stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    refund: (id) => stripe.refunds.create({ payment_intent: id }),
    close: async () => {},
  };
}

const key = (): string => crypto.randomUUID();
const asked = (more: object = {}) => ({
  amountCents: 50,
  currency: 'usd',
  description: 'Atelier: 5 × save_asset',
  metadata: { kind: 'tool_call', tool_name: 'save_asset' },
  idempotencyKey: key(),
  ...more,
});
const pack = (more: object = {}) => ({
  amountCents: 500,
  currency: 'usd',
  title: 'Atelier Starter: 50 credits',
  wallet: `0x${'a'.repeat(40)}`,
  metadata: { kind: 'credit_pack' },
  successUrl: 'http://atelier.test/paid?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://atelier.test/api/credits',
  expiresAt: new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000),
  idempotencyKey: key(),
  ...more,
});

function contract(open: () => Promise<Bench>, canPayCheckouts: boolean): void {
  let bench: Bench;
  let processor: Processor;
  beforeAll(async () => {
    bench = await open();
    processor = bench.processor;
  });
  afterAll(() => bench?.close());

  const paid = async (): Promise<string> => {
    const { id } = await processor.createIntent(asked());
    await bench.pay(id);
    return id;
  };

  test('a new intent is unpaid and has the requested values', async () => {
    const created = await processor.createIntent(asked());
    expect(created).toMatchObject({ status: 'requires_payment_method' });
    expect(created.clientSecret.startsWith(`${created.id}_secret_`)).toBe(true);
    expect(await processor.findIntent(created.id)).toMatchObject({
      isAuthorized: false,
      isCaptured: false,
      isCanceled: false,
      amountCents: 50,
      currency: 'usd',
      livemode: false,
      metadata: { kind: 'tool_call', tool_name: 'save_asset' },
      reversedCents: 0,
    });
  });

  test('the same idempotency key returns the same intent; another amount is rejected', async () => {
    const request = asked();
    const [first, second] = [await processor.createIntent(request), await processor.createIntent(request)];
    expect(second.id).toBe(first.id);
    await expect(processor.createIntent({ ...request, amountCents: 51 })).rejects.toThrow();
  });

  test('an unpaid intent cannot be captured', async () => {
    const { id } = await processor.createIntent(asked());
    expect(await processor.capture(id, key())).toMatchObject({ outcome: 'refused' });
  });

  test('an authorised payment is captured once, however often capture is called', async () => {
    const id = await paid();
    expect(await processor.findIntent(id)).toMatchObject({ isAuthorized: true, isCaptured: false });
    const one = key();
    const outcomes = [
      await processor.capture(id, one),
      await processor.capture(id, one),
      await processor.capture(id, key()),
    ];
    expect(outcomes).toEqual(Array(3).fill({ outcome: 'captured' }));
    expect(await processor.findIntent(id)).toMatchObject({ isCaptured: true, reversedCents: 0 });
  });

  test('abandoned intents are canceled and captured ones refunded, and repeating either changes nothing', async () => {
    const [open_, held, captured] = [(await processor.createIntent(asked())).id, await paid(), await paid()];
    await processor.capture(captured, key());
    for (const id of [open_, held, captured, open_, held, captured]) await processor.abandon(id);
    expect(await processor.findIntent(open_)).toMatchObject({ isCanceled: true });
    expect(await processor.findIntent(held)).toMatchObject({ isCanceled: true, isAuthorized: false });
    expect(await processor.findIntent(captured)).toMatchObject({ reversedCents: 50 });
    expect(await processor.capture(held, key())).toMatchObject({ outcome: 'refused' });
  });

  test('a refund is visible on the intent', async () => {
    const id = await paid();
    await processor.capture(id, key());
    await bench.refund(id);
    expect(await processor.findIntent(id)).toMatchObject({ reversedCents: 50 });
  });

  test('an unknown intent or checkout is undefined', async () => {
    expect(await processor.findIntent('pi_absent')).toBeUndefined();
    expect(await processor.findCheckout('cs_test_absent')).toBeUndefined();
  });

  test('a new checkout is unpaid and has its own URL', async () => {
    const request = pack();
    const [first, again] = [await processor.createCheckout(request), await processor.createCheckout(request)];
    expect(again.id).toBe(first.id);
    expect(first.url).toContain(first.id);
    expect(await processor.findCheckout(first.id)).toMatchObject({
      isPaid: false,
      isExpired: false,
      amountCents: 500,
      currency: 'usd',
      livemode: false,
    });
  });

  if (canPayCheckouts)
    test('a paid checkout names its intent, whose refunds and disputes are visible', async () => {
      const { id } = await processor.createCheckout(pack());
      await bench.payCheckout!(id);
      const found = await processor.findCheckout(id);
      expect(found).toMatchObject({ isPaid: true, isExpired: false });
      await bench.dispute!(id, 'dispute');
      expect(await processor.findIntent(found!.intent!)).toMatchObject({ reversedCents: 500 });
      await bench.dispute!(id, 'dispute_won');
      expect(await processor.findIntent(found!.intent!)).toMatchObject({ reversedCents: 0 });
    });
}

describe('simulated processor', () => contract(simulated, true));
describe('Stripe, against a local fake', () => contract(fakeStripe, true));
describe('Stripe, test mode', needs('a test key of Stripe'), () => contract(realStripe, false));

test('the secret key determines live or test mode', () => {
  const modeOf = (secretKey: string) =>
    createStripe({ secretKey, webhookSecret: STRIPE_WEBHOOK, logger: LOG }).livemode;
  expect([modeOf('sk_live_1'), modeOf('rk_live_1'), modeOf('sk_test_1')]).toEqual([true, true, false]);
});
