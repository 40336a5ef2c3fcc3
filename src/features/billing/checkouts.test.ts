import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { CREDIT, freshWallet, HOUR_MS, StripeWorld } from '../../../tests/support/stripe_world.ts';

/** Credit packs: payments that arrive late or in part, are reversed, or leave a debt. */

forEachDatabase((_name, open) => {
  const world = new StripeWorld(open);
  const { atLate, balanced, checkout, now, paid, use } = world;

  test('identical requests within a minute share a checkout; other clients and later requests do not', async () => {
    const payer = freshWallet();
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

  test('the cleanup job finds a payment without a webhook and expires unpaid checkouts', async () => {
    const [payer, other] = [freshWallet(), freshWallet()];
    const [bought, left] = [await checkout(payer), await checkout(other)];
    world.stripe.pay(bought);
    world.stripe.thing(left).status = 'expired';
    await atLate(2 * HOUR_MS, () => world.payments.sweep(now()));
    expect((await world.wallets.find(payer))?.balance).toBe(60 * CREDIT);
    expect((await world.payments.fulfil(left))?.state).toBe('expired');
    expect(await world.wallets.find(other)).toBeUndefined();
  });

  test('a payment that arrives after the checkout expired still grants its credits', async () => {
    const payer = freshWallet();
    const id = await checkout(payer);
    world.stripe.thing(id).status = 'expired';
    await world.payments.fulfil(id);
    world.stripe.pay(id);
    expect((await world.payments.fulfil(id))?.state).toBe('granted');
    expect((await world.wallets.find(payer))?.balance).toBe(60 * CREDIT);
  });

  test.each([
    ['amount', { amount_total: 499 }],
    ['currency', { currency: 'jpy' }],
    ['mode', { livemode: true }],
  ])('a checkout paid in another %s never grants credits', async (_what, changes) => {
    const payer = freshWallet();
    const id = await checkout(payer);
    world.stripe.pay(id);
    Object.assign(world.stripe.thing(id), changes);
    expect((await world.payments.fulfil(id))?.state).toBe('refused');
    expect((await world.payments.fulfil(id))?.state).toBe('refused');
    expect(await world.wallets.find(payer)).toBeUndefined();
  });

  test('a partial refund deducts the same share of the credits', async () => {
    const payer = freshWallet();
    const id = await checkout(payer);
    world.stripe.pay(id);
    await world.payments.fulfil(id);
    world.stripe.reverse(id, 'refund', 125);
    await world.payments.review(world.stripe.intentOf(id).id);
    expect((await world.wallets.find(payer))?.balance).toBe(47.5 * CREDIT);
    world.stripe.thing(world.stripe.intentOf(id).latest_charge).amount_refunded = 0;
    await world.payments.review(world.stripe.intentOf(id).id);
    expect((await world.wallets.find(payer))?.balance).toBe(60 * CREDIT);
    await balanced();
  });

  test('concurrent ledger operations of all kinds on one wallet do not deadlock', async () => {
    const payer = freshWallet();
    await world.wallets.register(payer);
    const call = async () => {
      const expiresAt = new Date(Date.now() + HOUR_MS);
      const hold_ = { id: crypto.randomUUID(), wallet: payer, amount: 10, tool: 'paint', expiresAt };
      await world.wallets.settle(await world.wallets.hold(hold_));
    };
    const purchase = async () => {
      const id = await checkout(payer);
      world.stripe.pay(id);
      await Promise.all([world.payments.fulfil(id), world.payments.fulfil(id)]);
      world.stripe.reverse(id, 'dispute');
      const review = () => world.payments.review(world.stripe.intentOf(id).id);
      await Promise.all([review(), review(), world.payments.sweep(now())]);
      world.stripe.reverse(id, 'dispute_won');
      await review();
    };
    const byCard = async () => {
      const id = await paid({ wallet: payer });
      await use(id, { wallet: payer });
      await Promise.all([use(id, { wallet: payer }), world.wallets.expireHolds(now())]);
      world.stripe.reverse(id, 'refund');
      await world.payments.review(id);
    };
    const work = Array.from({ length: 12 }, () => [call(), purchase(), byCard(), call()]).flat();
    expect((await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')).toEqual([]);
    // 10 welcome credits, 12 packs, 24 calls minus their credit-back, 24 credit-backs of card calls; the surplus was reversed.
    expect((await world.wallets.find(payer))?.balance).toBe((10 + 600) * CREDIT - 24 * 10 + 24 * 100);
    await balanced();
  });

  test('the cleanup job collects a debt from incoming credits', async () => {
    const payer = freshWallet();
    const id = await checkout(payer);
    world.stripe.pay(id);
    await world.payments.fulfil(id);
    const held = await world.wallets.hold({
      id: crypto.randomUUID(),
      wallet: payer,
      amount: 55 * CREDIT,
      tool: 'paint',
      expiresAt: new Date(Date.now() + HOUR_MS),
    });
    world.stripe.reverse(id, 'dispute');
    await world.payments.review(world.stripe.intentOf(id).id);
    expect((await world.wallets.find(payer))?.available).toBe(0);
    await world.wallets.release(held);
    await world.payments.sweep(now());
    expect((await world.wallets.find(payer))?.balance).toBe(10 * CREDIT);
    expect(await world.wallets.find(payer)).toMatchObject({
      totals: { purchased: 0, spent: 0, granted: 10_000 },
    });
    await balanced();
  });
});
