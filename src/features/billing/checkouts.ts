import { createHash } from 'node:crypto';
import { MILLICREDITS_PER_CREDIT, WELCOME_CREDITS } from '../../config/limits.ts';
import * as store from './checkout_store.ts';
import * as checkoutStore from './checkout_store.ts';
import { type BillingDeps, cashOf, requireProcessor } from './deps.ts';
import * as intentStore from './intent_store.ts';
import { CHECKOUT_LIFETIME_MS, CHECKOUT_RECHECK_MS } from './limits.ts';
import type { CardCheckout } from './processor.ts';
import type { Fulfilment, NewCheckout, StartedCheckout } from './types.ts';

const WELCOME = WELCOME_CREDITS * MILLICREDITS_PER_CREDIT;
const CURRENCY = 'usd';
const MINUTE_MS = 60_000;

export async function startCheckout(parts: BillingDeps, asked: NewCheckout): Promise<StartedCheckout> {
  const processor = requireProcessor(parts);
  const { database, publicUrl, clock } = parts;
  const { wallet, pack, amount, amountCents, title } = asked;
  const at = clock();
  // Whole minutes, so that a repeated request has exactly the same parameters.
  const minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  const started = await processor.createCheckout({
    amountCents,
    currency: CURRENCY,
    title,
    wallet,
    metadata: { kind: 'credit_pack', wallet, pack, millicredits: String(amount) },
    successUrl: `${publicUrl}/paid?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}/api/credits`,
    expiresAt: new Date(minute + CHECKOUT_LIFETIME_MS),
    idempotencyKey: `co_${sha256(JSON.stringify([wallet, pack, amount, asked.requestedBy, minute]))}`,
  });
  await store.insertCheckout(database, {
    ...started,
    processor: processor.name,
    livemode: processor.livemode,
    cash: cashOf(processor),
    wallet,
    pack,
    amountCents,
    currency: CURRENCY,
    amount,
    at,
  });
  return started;
}

/** Grants the credits of a paid checkout. Called by the event, the return page and the cleanup, in any order and concurrently. */
export async function fulfil(parts: BillingDeps, id: string): Promise<Fulfilment | undefined> {
  const { database, clock } = parts;
  const row = await store.selectCheckout(database, id);
  if (!row) return undefined;
  const { wallet, pack, amount, livemode } = row;
  const answer = (state: Fulfilment['state']): Fulfilment => ({ state, wallet, pack, amount, livemode });
  if (row.state === 'fulfilled') return answer('already');
  if (row.state === 'refused') return answer('refused');
  const processor = requireProcessor(parts);
  if (row.processor !== processor.name || row.livemode !== processor.livemode) return answer('unpaid');
  const card = await processor.findCheckout(id);
  if (!card?.isPaid) return answer(await notPaid(parts, row, card));
  if (!isTheSame(card, row)) {
    parts.logger.warn(
      { checkout: id },
      'a checkout was paid in another amount than it was made for: nothing was granted',
    );
    await store.endCheckout(database, id, 'refused');
    return answer('refused');
  }
  const state = await store.fulfilCheckout(database, {
    id,
    payment: card.intent,
    at: clock(),
    welcome: WELCOME,
  });
  await store.collectOwed(database, wallet, clock());
  // The payment may have been reversed already.
  await reviewCheckout(parts, { ...row, state: 'fulfilled', payment: card.intent ?? null });
  return answer(state);
}

const isTheSame = (card: CardCheckout, row: store.CheckoutRow): boolean =>
  card.amountCents === row.amountCents && card.currency === row.currency && card.livemode === row.livemode;

async function notPaid(
  { database, clock }: BillingDeps,
  row: store.CheckoutRow,
  card: CardCheckout | undefined,
): Promise<'unpaid' | 'expired'> {
  if (card && !card.isExpired) {
    await store.postponeCheckout(
      database,
      row.id,
      new Date(Math.max(clock().getTime() + CHECKOUT_RECHECK_MS, row.expiresAt.getTime())),
    );
    return 'unpaid';
  }
  await store.endCheckout(database, row.id, 'expired');
  return 'expired';
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Reconciles a purchase with the amount that the card has paid so far. Only the current state counts, so refund and dispute events
 * may arrive late, twice or in any order.
 * @param id the intent at the processor: of a tool, or of a checkout
 */
export async function review(parts: BillingDeps, id: string): Promise<void> {
  const { database, clock } = parts;
  const row = await checkoutStore.selectCheckoutOfPayment(database, id);
  if (row) return reviewCheckout(parts, row);
  if (!(await intentStore.selectIntent(database, id))) return;
  const card = await requireProcessor(parts).findIntent(id);
  if (card) await intentStore.reverseIntent(database, { id, reversed: card.reversedCents > 0, at: clock() });
}

/** Reverses credits in proportion to the reversed money. */
async function reviewCheckout(parts: BillingDeps, row: checkoutStore.CheckoutRow): Promise<void> {
  if (row.payment === null) return;
  const { database, clock } = parts;
  const card = await requireProcessor(parts).findIntent(row.payment);
  if (!card) return;
  const reversedCents = Math.min(card.reversedCents, row.amountCents);
  const target = Math.round((row.amount * reversedCents) / row.amountCents);
  await checkoutStore.reverseCheckout(database, { id: row.id, target, at: clock() });
}
