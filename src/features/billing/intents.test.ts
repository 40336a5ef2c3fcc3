import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { CREDIT, freshWallet, StripeWorld } from '../../../tests/support/stripe_world.ts';
import { createPayments } from './payments.ts';
import { createSimulated } from './simulated/simulated.ts';

/** Payment intents: what they pay for, for which wallet, and how often. */

forEachDatabase((_name, open) => {
  const world = new StripeWorld(open);
  const { balanced, hold, now, paid, stateOf, use } = world;

  test('the remainder after whole calls is credited to the wallet, which is registered automatically', async () => {
    const payer = freshWallet();
    const id = await paid({ wallet: payer });
    expect(await use(id)).toMatchObject({ left: 2 * CREDIT });
    // 0.50 USD pay two calls of 0.20 and one credit; plus 10 welcome credits and 5 % credit-back.
    expect((await world.wallets.find(payer))?.balance).toBe(11 * CREDIT + 100);
    await use(id);
    await expect(use(id)).rejects.toMatchObject({ code: 'payment_intent_used' });
    await balanced();
  });

  test('without a wallet the remainder stays with the intent', async () => {
    const id = await paid();
    expect(await use(id)).toMatchObject({ left: 3 * CREDIT });
    expect(await use(id, { price: CREDIT })).toMatchObject({ left: 2 * CREDIT });
    await use(id);
    await balanced();
  });

  test('of two hundred concurrent calls on an intent for one hundred, one hundred are paid', async () => {
    const id = await paid({ quantity: 101 });
    await use(id);
    const uses = await Promise.allSettled(Array.from({ length: 200 }, () => use(id)));
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    await balanced();
  });

  test.each([
    ['another tool', { tool: 'print' }, 'payment_intent_tool_mismatch'],
    ['a dearer call', { price: 6 * CREDIT }, 'payment_insufficient'],
  ])('rejects %s before and after capture, and the intent stays valid', async (_what, more, code) => {
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
  ])('an intent with another %s at the processor is rejected as payment', async (_what, changes) => {
    const id = await paid();
    Object.assign(world.stripe.thing(id), changes);
    await expect(hold(id)).rejects.toMatchObject({ code: 'payment_intent_void' });
    expect(await stateOf(id)).toBe('open');
  });

  test('an intent of another mode or processor is rejected as payment', async () => {
    const id = await paid();
    await use(id);
    const simulated = createSimulated({ database: world.database, publicUrl: 'http://atelier.test' });
    const others = [
      world.paymentsOf('sk_live_1'),
      createPayments({
        database: world.database,
        processor: simulated,
        publicUrl: 'http://atelier.test',
        logger: world.logger,
      }),
    ];
    for (const other of others) {
      const call = { intentId: id, tool: 'paint', price: CREDIT, wallet: undefined, expiresAt: now() };
      await expect(other.holdCall(call)).rejects.toMatchObject({ code: 'payment_intent_void' });
    }
  });

  test('a card charged immediately instead of authorised is accepted', async () => {
    const id = await paid();
    Object.assign(world.stripe.thing(id), { status: 'succeeded', amount_received: 50 });
    await use(id);
    expect(await stateOf(id)).toBe('captured');
  });
});
