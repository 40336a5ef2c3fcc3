import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { CREDIT, HOUR_MS, StripeWorld } from '../../../tests/support/stripe_world.ts';

/** Payment tokens under lost responses, crashes and timeouts: no double charge, and no charge without a result. */

forEachDatabase((_name, open) => {
  const world = new StripeWorld(open);
  const { atLate, balanced, now, stateOf } = world;
  const asked = (more: object = {}) => ({
    challenge: `c${crypto.randomUUID()}`,
    token: world.stripe.grantToken(),
    tool: 'paint',
    price: 2 * CREDIT,
    amountCents: 50,
    wallet: undefined,
    expiresAt: new Date(now().getTime() + HOUR_MS),
    ...more,
  });
  const hold = (intentId: string) =>
    world.payments.holdCall({
      intentId,
      tool: 'paint',
      price: 2 * CREDIT,
      wallet: undefined,
      isForOneCall: true,
      expiresAt: new Date(now().getTime() + HOUR_MS),
    });
  const intentsOf = (challenge: string) =>
    world.stripe.thingsOf('payment_intent').filter(({ metadata }) => metadata.challenge === challenge);

  test('retrying a payment whose response was lost reuses its intent', async () => {
    const payment = asked();
    world.stripe.faults.push({ path: /POST .*payment_intents$/, how: 'lost', times: 3 });
    await expect(world.payments.takeToken(payment)).rejects.toMatchObject({ code: 'upstream_failed' });
    const { id } = await world.payments.takeToken(payment);
    expect(intentsOf(payment.challenge).map((one) => [one.id, one.status])).toEqual([
      [id, 'requires_capture'],
    ]);
  });

  test('a payment whose call is never retried is released', async () => {
    const payment = asked();
    world.stripe.faults.push({ path: /POST .*payment_intents$/, how: 'lost', times: 3 });
    await world.payments.takeToken(payment).catch(() => {});
    await atLate(2 * HOUR_MS, () => world.payments.sweep(now()));
    expect(intentsOf(payment.challenge)).toMatchObject([{ status: 'canceled' }]);
  });

  test('a payment whose calls failed is released when its challenge expires', async () => {
    const { id } = await world.payments.takeToken(asked());
    await world.payments.releaseCall(await hold(id));
    await atLate(2 * HOUR_MS, () => world.payments.sweep(now()));
    expect([await stateOf(id), world.stripe.thing(id).status]).toEqual(['canceled', 'canceled']);
  });

  test('an expired challenge starts no payment', async () => {
    const late = asked({ expiresAt: new Date(now().getTime() - 1) });
    await expect(world.payments.takeToken(late)).rejects.toMatchObject({ code: 'payment_refused' });
    expect(intentsOf(late.challenge)).toEqual([]);
  });

  test('a payment with an unknown outcome pays for the retried call and no other', async () => {
    const { id } = await world.payments.takeToken(asked());
    const first = await hold(id);
    world.stripe.faults.push(
      { path: /capture/, how: 'lost', times: 3 },
      { path: /GET .*payment_intents/, how: 'deaf', times: 3 },
    );
    await expect(world.payments.settleCall(first)).rejects.toMatchObject({ code: 'payment_unknown' });
    await world.payments.releaseCall(first);
    const again = await hold(id);
    await expect(hold(id)).rejects.toMatchObject({ code: 'payment_intent_in_use' });
    await world.payments.settleCall(again);
    await expect(hold(id)).rejects.toMatchObject({ code: 'payment_used' });
    await balanced();
  });
});
