import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { CREDIT, HOUR_MS, StripeWorld } from '../../../tests/support/stripe_world.ts';
import { PAYMENT_INTENT_CLAIMS_MAX } from './limits.ts';

/** Card charges under lost responses, crashes and timeouts: no double charge, and no charge without a result. */

forEachDatabase((_name, open) => {
  const world = new StripeWorld(open);
  const { atLate, balanced, hold, intent, now, paid, stateOf, use } = world;

  test('a capture whose response is lost is retried with the same idempotency key', async () => {
    const id = await paid();
    world.stripe.faults.push({ path: /capture/, how: 'lost', times: 1 });
    await use(id);
    const keys = world.stripe.requests
      .filter(({ path }) => path.includes(`${id}/capture`))
      .map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    await balanced();
  });

  test.each(['deaf', 'lost', 'broken'] as const)(
    'if the capture outcome is unknown (%s), the result is withheld and the card not charged twice',
    async (how) => {
      const id = await paid();
      const held = await hold(id);
      world.stripe.faults.push(
        { path: /capture/, how, times: 3 },
        { path: /GET .*payment_intents/, how: 'deaf', times: 3 },
      );
      await expect(world.payments.settleCall(held)).rejects.toMatchObject({
        code: 'payment_unknown',
        status: 503,
      });
      await world.payments.releaseCall(held);
      expect(await stateOf(id)).toBe('unknown');
      world.stripe.faults.push({ path: /GET .*payment_intents/, how: 'deaf', times: 3 });
      await expect(hold(id)).rejects.toMatchObject({ code: 'payment_unknown' });
      // Repeats the call, then uses up the intent: two calls in total, whatever happened before.
      await use(id);
      await use(id);
      await expect(use(id)).rejects.toMatchObject({ code: 'payment_intent_used' });
      expect(world.stripe.thing(id)).toMatchObject({ status: 'succeeded', amount_received: 50 });
      await balanced();
    },
  );

  test('the cleanup job resolves a capture with an unknown outcome', async () => {
    const id = await paid();
    const held = await hold(id);
    world.stripe.faults.push(
      { path: /capture/, how: 'lost', times: 3 },
      { path: /GET .*payment_intents/, how: 'deaf', times: 3 },
    );
    await world.payments.settleCall(held).catch(() => {});
    expect(await world.payments.sweep(now())).toBe(1);
    expect(await stateOf(id)).toBe('captured');
    expect(await use(id)).toMatchObject({ left: 3 * CREDIT });
    await balanced();
  });

  test('a card declined at capture costs nothing, and the intent can be paid again', async () => {
    const id = await paid();
    world.stripe.thing(id).declineCapture = true;
    const held = await hold(id);
    await expect(world.payments.settleCall(held)).rejects.toMatchObject({
      code: 'payment_failed',
      status: 402,
    });
    await expect(hold(id)).rejects.toMatchObject({ code: 'payment_not_authorized' });
    Object.assign(world.stripe.thing(id), { declineCapture: false });
    world.stripe.pay(id);
    await use(id);
    await balanced();
  });

  test('the claim of a crashed call is released, and its late completion is not paid', async () => {
    const id = await paid();
    const dead = await hold(id);
    expect(await world.payments.sweep(now())).toBe(0);
    await atLate(HOUR_MS, () => world.payments.sweep(now()));
    await use(id);
    await expect(world.payments.settleCall(dead)).rejects.toMatchObject({ code: 'payment_unknown' });
    expect((await world.payments.findIntent(id))?.state).toBe('captured');
    await balanced();
  });

  test('after ten failed calls an intent is canceled and the card is not charged', async () => {
    const id = await paid();
    for (let call = 0; call < PAYMENT_INTENT_CLAIMS_MAX; call += 1) {
      await world.payments.releaseCall(await hold(id));
    }
    await expect(hold(id)).rejects.toMatchObject({ code: 'payment_intent_void' });
    expect([await stateOf(id), world.stripe.thing(id).status]).toEqual(['canceled', 'canceled']);
    await balanced();
  });

  test('an intent with nine failed calls still pays its full amount', async () => {
    const id = await paid();
    for (let call = 1; call < PAYMENT_INTENT_CLAIMS_MAX; call += 1) {
      await world.payments.releaseCall(await hold(id));
    }
    for (let call = 0; call < 2; call += 1) await use(id);
    await expect(use(id)).rejects.toMatchObject({ code: 'payment_intent_used' });
  });

  test('after a restart all claims are treated as claims of crashed calls', async () => {
    const [claimed, capturing] = [await paid(), await paid()];
    await hold(claimed);
    await hold(capturing);
    await world.database.query(`update payment_intents set state = 'capturing' where id = $1`, [capturing]);
    world.stripe.thing(capturing).status = 'succeeded';
    expect(await world.payments.sweep(now(), true)).toBe(2);
    expect([await stateOf(claimed), await stateOf(capturing)]).toEqual(['open', 'unknown']);
    await use(claimed);
    await use(capturing);
    await balanced();
  });

  test('a payment unused for a day is released; a card already charged is refunded', async () => {
    const [unpaid, held, charged] = [await intent(), await paid(), await paid()];
    world.stripe.thing(charged).status = 'succeeded';
    await atLate(25 * HOUR_MS, () => world.payments.sweep(now()));
    for (const id of [unpaid, held, charged]) expect(await stateOf(id)).toBe('canceled');
    expect([world.stripe.thing(unpaid).status, world.stripe.thing(held).status]).toEqual([
      'canceled',
      'canceled',
    ]);
    expect(world.stripe.thing(world.stripe.thing(charged).latest_charge).refunded).toBe(true);
    await expect(hold(held)).rejects.toMatchObject({ code: 'payment_intent_void' });
  });

  test('unpaid intents are deleted after a month, paid intents never', async () => {
    const [unpaid, used] = [await intent(), await paid()];
    await use(used);
    await atLate(25 * HOUR_MS, () => world.payments.sweep(now()));
    await atLate(32 * 24 * HOUR_MS, () => world.payments.sweep(now()));
    expect([await world.payments.findIntent(unpaid), await stateOf(used)]).toEqual([undefined, 'captured']);
  });

  test('if the processor is unreachable, cancellation of an intent is retried later', async () => {
    const id = await paid();
    world.stripe.faults.push({ path: /./, how: 'deaf', times: 3 });
    await atLate(25 * HOUR_MS, () => world.payments.sweep(now()));
    expect(world.warnings.at(-1)).toContain('retried');
    expect(await stateOf(id)).toBe('unknown');
    await atLate(26 * HOUR_MS, () => world.payments.sweep(now()));
    await atLate(27 * HOUR_MS, () => world.payments.sweep(now()));
    expect(await stateOf(id)).toBe('canceled');
  });

  test('an intent whose creation response is lost is not created twice', async () => {
    world.stripe.faults.push({ path: /POST .*payment_intents$/, how: 'lost', times: 1 });
    const before = world.stripe.requests.length;
    await intent();
    const keys = world.stripe.requests.slice(before).map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});
