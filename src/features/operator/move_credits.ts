import { randomUUID } from 'node:crypto';
import { MILLICREDITS_PER_CREDIT } from '../../config/limits.ts';
import type { Queryable } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import * as store from './store.ts';
import type { Grant, Moved, Refund } from './types.ts';

/** Credits for a wallet out of the books' account for adjustments. @throws AtelierError not_found, invalid_input */
export async function grantCredits(
  tx: Queryable,
  { wallet, amount, reference = randomUUID() }: Grant,
  at: Date,
): Promise<Moved> {
  const id = `grant:${reference}`;
  const balance = await balanceOf(tx, wallet);
  const credit = `wallet:${wallet}`;
  const transfer = { id, at, debit: 'adjustment:manual', credit, amount, code: 'adjustment' } as const;
  const first = await store.insertTransfer(tx, transfer);
  if (first && (first.credit !== credit || first.amount !== amount))
    throw invalidField(
      'reference',
      `The reference ${reference} has given another wallet or another number of credits. Send a new one for a new grant.`,
    );
  return { id, wallet, amount, balance: balance + (first ? 0 : amount), isRepeat: first !== undefined };
}

/**
 * What a call has cost, from the income of its tool back to the wallet that paid. The id of the refund follows from that of the
 * call, so there is one at most. @throws AtelierError not_found, invalid_input
 */
export async function refundCall(tx: Queryable, { call, amount }: Refund, at: Date): Promise<Moved> {
  const charge = await store.selectCharge(tx, call);
  if (!charge)
    throw new AtelierError(
      'not_found',
      'No wallet has paid for a call of that id. The statement of a wallet has the ids of its calls (post:call_…), and so have receipts (rcpt_…).',
    );
  const { wallet, income, tool } = charge;
  const cost = charge.amount - charge.creditBack;
  if (amount !== undefined && amount > cost)
    throw invalidField(
      'credits',
      `The call has cost ${cost / MILLICREDITS_PER_CREDIT} credits, credit-back deducted. Refund that much at most.`,
    );
  const id = `refund:${charge.id.replace('post:', '')}`;
  const balance = await balanceOf(tx, wallet);
  const given = amount ?? cost;
  const transfer = { id, at, debit: income, credit: `wallet:${wallet}`, amount: given, tool } as const;
  const first = await store.insertTransfer(tx, { ...transfer, code: 'refund' });
  if (first) return { id, wallet, amount: first.amount, balance, isRepeat: true };
  return { id, wallet, amount: given, balance: balance + given, isRepeat: false };
}

async function balanceOf(tx: Queryable, wallet: string): Promise<number> {
  const balance = await store.lockWallet(tx, wallet);
  if (balance !== undefined) return balance;
  throw new AtelierError('not_found', `No wallet ${wallet} is registered here.`);
}
