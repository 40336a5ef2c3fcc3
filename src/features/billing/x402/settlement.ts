import { IDEMPOTENCY_LIFETIME_MS } from '../../../config/limits.ts';
import type { Fate } from '../../../core/chain/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { KeptAnswer } from '../../../core/idempotency/types.ts';
import type { SignedReceipt } from '../receipts/types.ts';
import type { Parts } from './deps.ts';
import {
  X402_RESOLVE_FOR_MS,
  X402_RESOLVE_PAUSE_MS_MAX,
  X402_RESOLVED_PER_SWEEP,
  X402_SETTLE_TIMEOUT_MS,
} from './limits.ts';
import * as store from './store.ts';
import type { FacilitatorRequest, TakenPayment, X402Payment } from './types.ts';

/** Longer than one question to the facilitator: whoever asks has the payment to itself. */
const ASKING_MS = X402_SETTLE_TIMEOUT_MS + 10_000;

/**
 * The row says "settling" before the facilitator is asked, so whatever dies afterwards, the question is asked again instead
 * of the payment being used again.
 */
export async function settle(
  parts: Parts,
  { id, claim }: TakenPayment,
  { answer, receipt }: { answer: KeptAnswer | undefined; receipt: SignedReceipt | undefined },
): Promise<void> {
  const { database, facilitator, clock, logger } = parts;
  const at = clock();
  const busyUntil = new Date(at.getTime() + ASKING_MS);
  const request = await store.beginSettling(database, { id, claim, at, busyUntil, answer, receipt });
  if (!request) throw new Error(`The x402 payment ${id} is no longer this call's.`);
  const outcome = await facilitator.settle(request);
  if (outcome.outcome === 'settled') return book(parts, id, outcome.transaction);
  const { reason } = outcome;
  logger.warn({ payment: id, outcome: outcome.outcome, reason }, 'an x402 payment was not settled');
  switch (outcome.outcome) {
    case 'refused':
      // A facilitator that tried twice by itself names its own first try so.
      if (isUsedUp(outcome)) {
        const fate = await fateOf(parts, { id, request });
        if (fate.fate === 'paid') return book(parts, id, fate.transaction);
      }
      await store.endPayment(database, { id, state: 'refused', reason, at: clock() });
      throw new AtelierError(
        'payment_not_settled',
        `The facilitator did not collect the payment: ${reason}. Nothing was taken, and the result is not given.`,
        { members: { reason } },
      );
    case 'not_sent':
      await store.endPayment(database, { id, state: 'released', reason, at: clock() });
      throw new AtelierError('payment_check_failed', undefined, { retryAfterSeconds: 10 });
    default:
      await store.stillUnknown(database, { id, reason, askAgainAt: clock() });
      if ((await resolveUnknown(parts, clock(), id)) === 0) throw unconfirmedError();
  }
}

const unconfirmedError = (): AtelierError =>
  new AtelierError('payment_unconfirmed', undefined, { retryAfterSeconds: 30 });

/** Asks again where the outcome is unknown. @param id only this payment. @returns how many turned out to be settled */
export async function resolveUnknown(parts: Parts, now: Date, id?: string): Promise<number> {
  const busyUntil = new Date(now.getTime() + ASKING_MS);
  let count = 0;
  // One at a time: each may take long, and only what is being asked about is kept from others.
  for (let asked = 0; asked < X402_RESOLVED_PER_SWEEP; asked += 1) {
    const unknown = await store.takeUnknown(parts.database, {
      now,
      busyUntil,
      ...(id !== undefined && { id }),
    });
    if (!unknown) return count;
    if (await askAgain(parts, unknown)) count += 1;
  }
  return count;
}

/**
 * Facilitators of the protocol's own packages, and others, name an authorization that is used up so. That was our money, or the
 * payer cancelled it, or used its nonce for a transfer to somebody else: only the chain tells.
 */
const USED_UP = /nonce_already_used|authorization_(already_)?used|nonce_used|already_(settled|processed)/i;

const isUsedUp = ({ outcome, reason = '' }: { outcome: string; reason?: string }): boolean =>
  outcome === 'refused' && USED_UP.test(reason);

const UNSEEN: Fate = { fate: 'unseen' };

/** A node that is away or none at all has seen nothing; it is asked again with the facilitator. */
async function fateOf(
  { authorizations, settings, logger }: Parts,
  { id, request }: { id: string; request: FacilitatorRequest },
): Promise<Fate> {
  if (!authorizations) return UNSEEN;
  const { network, asset } = request.paymentRequirements;
  const token = settings.tokens.find((one) => one.network === network || one.v1Network === network);
  const { authorization } = request.paymentPayload.payload as X402Payment;
  if (!token) return UNSEEN;
  try {
    return await authorizations.fateOf({ ...authorization, network: token.network, asset });
  } catch (error) {
    logger.warn({ payment: id, err: error }, 'the chain could not be asked about an x402 payment');
    return UNSEEN;
  }
}

async function askAgain(parts: Parts, unknown: store.Unknown): Promise<boolean> {
  const { database, facilitator, clock, logger } = parts;
  const { id, request, attempts, endsAt, settlingAt } = unknown;
  const outcome = await facilitator.settle(request);
  if (outcome.outcome === 'settled') {
    await book(parts, id, outcome.transaction);
    return true;
  }
  const { reason } = outcome;
  const fate = isUsedUp(outcome) ? await fateOf(parts, { id, request }) : UNSEEN;
  if (fate.fate === 'paid') {
    await book(parts, id, fate.transaction);
    return true;
  }
  const at = clock();
  if (fate.fate === 'not_paid') {
    await store.endPayment(database, { id, state: 'refused', reason, at });
    logger.warn({ payment: id, reason }, 'an x402 authorization was used up without paying here');
    return false;
  }
  // Once the authorization has ended nothing can move any more, so a facilitator that answers has said its last word.
  const isOver =
    (outcome.outcome === 'refused' && at > endsAt) ||
    at.getTime() - settlingAt.getTime() > X402_RESOLVE_FOR_MS;
  if (isOver) {
    await store.endPayment(database, { id, state: 'unresolved', reason, at });
    logger.warn({ payment: id, reason }, 'an x402 payment has no known outcome; look at the chain');
  } else {
    const pauseMs = Math.min(250 * 2 ** attempts, X402_RESOLVE_PAUSE_MS_MAX);
    await store.stillUnknown(database, { id, reason, askAgainAt: new Date(at.getTime() + pauseMs) });
  }
  return false;
}

async function book({ database, clock }: Parts, id: string, transaction: string | null): Promise<void> {
  const at = clock();
  const answerExpiresAt = new Date(at.getTime() + IDEMPOTENCY_LIFETIME_MS);
  await store.settlePayment(database, { id, transaction, at, answerExpiresAt });
}
