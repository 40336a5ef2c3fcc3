import * as checkoutStore from './checkout_store.ts';
import { type Parts, requireProcessor } from './deps.ts';
import * as intentStore from './intent_store.ts';

/**
 * Brings what was bought in line with what the card has really paid by now. Only the present state counts, so notices of
 * refunds and disputes may come late, twice or in any order.
 * @param id of the processor's intent: one of a tool, or the one behind a checkout
 */
export async function review(parts: Parts, id: string): Promise<void> {
  const { database, clock } = parts;
  const row = await checkoutStore.selectCheckoutOfPayment(database, id);
  if (row) return reviewCheckout(parts, row);
  if (!(await intentStore.selectIntent(database, id))) return;
  const card = await requireProcessor(parts).findIntent(id);
  if (card) await intentStore.reverseIntent(database, { id, reversed: card.reversedCents > 0, at: clock() });
}

/** Credits are taken back in the proportion the money was, whole where all of it was. */
export async function reviewCheckout(parts: Parts, row: checkoutStore.CheckoutRow): Promise<void> {
  if (row.payment === null) return;
  const { database, clock } = parts;
  const card = await requireProcessor(parts).findIntent(row.payment);
  if (!card) return;
  const reversedCents = Math.min(card.reversedCents, row.amountCents);
  const target = Math.round((row.amount * reversedCents) / row.amountCents);
  await checkoutStore.reverseCheckout(database, { id: row.id, target, at: clock() });
}
