import type { Authorizations } from '../../../core/chain/chain.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { ESCROW, escrowIdOf, lifecycleRequest } from './auth_capture.ts';
import { askAgainAt } from './requirements.ts';
import type { X402Settings } from './settings.ts';
import * as store from './store.ts';
import type { Facilitator, FacilitatorRequest, OfferReceipts, Requirement, TakenPayment } from './types.ts';

/** Holds of the scheme auth-capture: placed before a call runs, captured after it, or released. */

type Outcome = Awaited<ReturnType<Facilitator['settle']>>;

/** The escrow already has this payment, because the facilitator retried internally: only this server requests it. */
const HELD_ALREADY = /payment_already_collected/;
/** Errors that show that nothing is held. */
const NOTHING_HELD = /zero_authorization|insufficient_authorization|unexpected_payment_state/;

/**
 * Has the facilitator hold the price in escrow, recorded in the row before the request. After a failure, a possible hold is
 * released.
 * @throws AtelierError payment_refused, payment_check_failed
 */
export async function placeHold(
  { database, facilitator, clock, logger }: X402Deps,
  { id, claim }: TakenPayment,
  request: FacilitatorRequest,
): Promise<void> {
  const advance = (to: 'authorizing' | 'held') => store.advanceHold(database, { id, claim, to, at: clock() });
  if (!(await advance('authorizing')))
    throw new Error(`The x402 payment ${id} no longer belongs to this call.`);
  const outcome = await facilitator.settle(request);
  const isHeld = outcome.outcome === 'settled' || HELD_ALREADY.test(outcome.reason);
  if (isHeld && (await advance('held'))) return;
  const reason = outcome.outcome === 'settled' ? 'the call took too long to start' : outcome.reason;
  logger.warn(
    { payment: id, outcome: outcome.outcome, reason },
    'failed to hold the price of a call in escrow',
  );
  if (outcome.outcome === 'not_sent') {
    await store.endPayment(database, { id, state: 'released', reason, at: clock() });
    throw new AtelierError('payment_check_failed', undefined, { retryAfterSeconds: 10 });
  }
  const state = outcome.outcome === 'refused' && !isHeld ? 'refused' : 'voiding';
  await store.endPayment(database, { id, state, reason, at: clock() });
  throw new AtelierError(
    'payment_refused',
    `The x402 payment was refused. The facilitator did not hold the amount: ${reason}. ${
      state === 'refused'
        ? 'You were not charged.'
        : 'If it holds the amount later, the hold is released. Sign a new payment.'
    }`,
    { members: { reason } },
  );
}

/** The request that settles a payment: a capture, where its price is held. */
export const settlementOf = ({ settings: { captures } }: X402Deps, request: FacilitatorRequest) =>
  isHold(request) && captures ? lifecycleRequest(request, 'capture', captures) : request;

export const isHold = ({ paymentRequirements }: FacilitatorRequest): boolean =>
  paymentRequirements.scheme === 'auth-capture';

export const isNothingHeld = (outcome: Outcome): boolean =>
  outcome.outcome !== 'settled' && NOTHING_HELD.test(outcome.reason);

/** The state of a hold in the escrow contract; unknown where the node is unreachable. */
export async function fateOfHold(
  { authorizations, logger }: X402Deps,
  { id, request }: { id: string; request: FacilitatorRequest },
): Promise<'captured' | 'held' | 'gone' | 'unseen'> {
  const { network, amount } = request.paymentRequirements as Requirement;
  try {
    const state = await authorizations?.escrowOf({ network, escrow: ESCROW, payment: escrowIdOf(request) });
    if (!state?.isCollected) return 'unseen';
    if (state.refundable === BigInt(amount)) return 'captured';
    return state.capturable > 0n ? 'held' : 'gone';
  } catch (error) {
    logger.warn({ payment: id, err: error }, 'failed to query the escrow about an x402 payment');
    return 'unseen';
  }
}

/**
 * Requests the release of a hold again. Done when the facilitator has released it, when nothing is or can be held any more, or when
 * the payer can reclaim the hold alone.
 */
export async function giveBack(parts: X402Deps, hold: store.Unknown): Promise<boolean> {
  const { database, facilitator, clock, logger, settings } = parts;
  const { id, request, attempts, endsAt } = hold;
  if (!settings.captures) return false;
  const outcome = await facilitator.settle(lifecycleRequest(request, 'void', settings.captures));
  const at = clock();
  if (outcome.outcome === 'settled') {
    await store.voidPayment(database, { id, transaction: outcome.transaction, reason: null, at });
    return true;
  }
  const { reason } = outcome;
  const { authorization } = request.paymentPayload.payload as { authorization: { validBefore: string } };
  const isPlaceable = at.getTime() < Number(authorization.validBefore) * 1000;
  if ((isNothingHeld(outcome) && !isPlaceable) || at > endsAt) {
    if (!isNothingHeld(outcome))
      logger.warn({ payment: id, reason }, 'an x402 hold was left for its payer to reclaim');
    await store.voidPayment(database, { id, transaction: null, reason, at });
    return true;
  }
  await store.stillUnknown(database, { id, reason, askAgainAt: askAgainAt(at, attempts) });
  return false;
}

/** Shared dependencies of this service. */
export interface X402Deps {
  readonly settings: X402Settings;
  readonly facilitator: Facilitator;
  readonly database: Database;
  /** Absent without a chain node. */
  readonly authorizations?: Authorizations | undefined;
  /** Whether a payer has a wallet on this server, which gets the credit-back. */
  readonly wallets: { isRegistered(wallet: string): Promise<boolean> };
  /** Absent without a configured public address. */
  readonly offerReceipts?: OfferReceipts | undefined;
  /** Logs events for the operator. Never a signature. */
  readonly logger: { warn(details: object, message: string): void };
  readonly clock: () => Date;
}
