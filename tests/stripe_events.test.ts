import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stripeBank } from './support/banks.ts';
import { type FakeStripe, signature } from './support/fake_stripe.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';

/** Stripe webhook events: valid, forged, delayed and duplicated. */

const freshWallet = (): string => `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
const seconds = () => Math.floor(Date.now() / 1000);

describe('Stripe events', () => {
  let app: TestApp;
  let stripe: FakeStripe;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const bank = await stripeBank();
    ({ stripe } = bank);
    app = await openTestApp(bank.settings);
    close = async () => {
      await app.close();
      await bank.close();
    };
  });
  afterAll(() => close());

  const buyPack = async (): Promise<{ wallet: string; id: string }> => {
    const wallet = freshWallet();
    const { body } = await app.post('/api/credits/checkout', { wallet, pack: 'starter' });
    stripe.pay(body.session_id);
    return { wallet, id: body.session_id };
  };
  const send = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    app.post('/api/webhooks/stripe', body, headers);
  const completed = (id: string, more: object = {}) =>
    stripe.event('checkout.session.completed', stripe.thing(id), more);
  const balanceOf = async (wallet: string) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;

  test('a signed event grants the credits', async () => {
    const { wallet, id } = await buyPack();
    expect((await send(completed(id))).body).toMatchObject({ received: true, duplicate: false });
    expect(await balanceOf(wallet)).toBe(60);
  });

  test.each([
    ['signed with another secret', (id: string) => completed(id, { secret: 'whsec_other' })],
    ['signed six minutes ago', (id: string) => completed(id, { timestamp: seconds() - 360 })],
    ['of live mode', (id: string) => completed(id, { livemode: true })],
    ['without a signature', (id: string) => ({ ...completed(id), headers: {} })],
    [
      'with a malformed signature',
      (id: string) => ({ ...completed(id), headers: { 'Stripe-Signature': 't=,v1=' } }),
    ],
    [
      'changed after signing',
      (id: string) => {
        const { body, headers } = completed(id);
        return { body: body.replace('checkout.session.completed', 'checkout.session.complete.'), headers };
      },
    ],
    ['that is not an event', () => ({ body: '{}', headers: { 'Stripe-Signature': signature('{}') } })],
    ['that is not JSON', () => ({ body: 'paid!', headers: { 'Stripe-Signature': signature('paid!') } })],
  ])('an event %s is rejected and grants nothing', async (_what, make) => {
    const { wallet, id } = await buyPack();
    const { status, body } = await send(make(id));
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_event' });
    expect(await balanceOf(wallet)).toBe(0);
  });

  test('20 simultaneous copies of an event and the return page grant the credits once', async () => {
    const { wallet, id } = await buyPack();
    const event = completed(id);
    await Promise.all([
      ...Array.from({ length: 20 }, () => send(event)),
      ...Array.from({ length: 5 }, () => app.get(`/paid?session_id=${id}`)),
    ]);
    expect(await balanceOf(wallet)).toBe(60);
    expect((await send(event)).body).toMatchObject({ duplicate: true });
  });

  test('a refund event before the payment event leaves no credits', async () => {
    const { wallet, id } = await buyPack();
    const charge = stripe.reverse(id, 'refund');
    await send(stripe.event('charge.refunded', charge));
    await send(completed(id));
    expect(await balanceOf(wallet)).toBe(10);
  });

  test('a delayed older event does not undo a newer one', async () => {
    const { wallet, id } = await buyPack();
    await send(completed(id));
    const opened = stripe.event('charge.dispute.created', stripe.reverse(id, 'dispute'));
    const won = stripe.event('charge.dispute.closed', stripe.reverse(id, 'dispute_won'));
    await send(won);
    await send(opened);
    expect(await balanceOf(wallet)).toBe(60);
  });

  test('an inquiry removes no credits, a lost dispute removes all of them', async () => {
    const { wallet, id } = await buyPack();
    await send(completed(id));
    const dispute = stripe.reverse(id, 'dispute');
    dispute.status = 'warning_needs_response';
    await send(stripe.event('charge.dispute.created', dispute));
    expect(await balanceOf(wallet)).toBe(60);
    dispute.status = 'lost';
    await send(stripe.event('charge.dispute.closed', dispute));
    expect(await balanceOf(wallet)).toBe(10);
  });

  test('a pending payment grants the credits once it is paid', async () => {
    const { wallet, id } = await buyPack();
    stripe.thing(id).payment_status = 'unpaid';
    await send(completed(id));
    expect(await balanceOf(wallet)).toBe(0);
    stripe.thing(id).payment_status = 'paid';
    await send(stripe.event('checkout.session.async_payment_succeeded', stripe.thing(id)));
    expect(await balanceOf(wallet)).toBe(60);
  });

  test('events of another service in the same Stripe account are acknowledged and ignored', async () => {
    const others = [
      stripe.event('checkout.session.completed', { id: 'cs_other', object: 'checkout.session' }),
      stripe.event('payment_intent.succeeded', { id: 'pi_other', object: 'payment_intent' }),
      stripe.event('charge.refunded', { id: 'ch_other', object: 'charge', payment_intent: 'pi_other' }),
      stripe.event('customer.created', { id: 'cus_1', object: 'customer' }),
    ];
    for (const event of others) expect((await send(event)).status).toBe(200);
  });

  test('an event that cannot be processed returns 502, so that Stripe sends it again', async () => {
    const { wallet, id } = await buyPack();
    const event = completed(id);
    stripe.faults.push({ path: /checkout/, how: 'deaf', times: 3 });
    expect((await send(event)).status).toBe(502);
    expect((await send(event)).body).toMatchObject({ duplicate: false });
    expect(await balanceOf(wallet)).toBe(60);
  });

  test('two events with the same id are processed once', async () => {
    const [one, two] = [await buyPack(), await buyPack()];
    await send(completed(one.id, { id: 'evt_same' }));
    await send(completed(two.id, { id: 'evt_same' }));
    expect([await balanceOf(one.wallet), await balanceOf(two.wallet)]).toEqual([60, 0]);
  });

  test('if Stripe is unavailable, calls return 502 and charge nothing', async () => {
    stripe.faults.push({ path: /./, how: 'deaf', times: 6 });
    const made = await app.post('/api/create-payment-intent', { tool_name: 'save_asset' });
    const checkout = await app.get(`/checkout/pro?wallet=${freshWallet()}`);
    expect([made.body.code, checkout.body.code]).toEqual(['upstream_failed', 'upstream_failed']);
  });

  test('with Stripe, the payment simulator is disabled and the payment page keeps the secret out of requests', async () => {
    const { body } = await app.post('/api/create-payment-intent', { tool_name: 'save_asset' });
    expect((await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: body.id })).status).toBe(
      404,
    );
    expect(body.pay_url).toBe(`http://atelier.test/pay/${body.id}#${body.client_secret}`);
    const page = await app.get(`/pay/${body.id}`);
    expect(page.text).toContain('pk_test_atelier');
    expect(page.headers.get('content-security-policy')).toContain('https://js.stripe.com');
    expect(body).toMatchObject({ publishable_key: 'pk_test_atelier', livemode: false });
  });
});

test('the server does not start with a Stripe key but without a webhook secret', async () => {
  const starting = openTestApp({ STRIPE_SECRET_KEY: 'sk_test_1' });
  await expect(starting).rejects.toThrow('STRIPE_WEBHOOK_SECRET');
});
