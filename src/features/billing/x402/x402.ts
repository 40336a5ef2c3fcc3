import { CREDIT_BACK_PERCENT, HOLD_LIFETIME_MS, MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { newCallId } from '../../../core/cluster/members/call_id.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { checkPayment, paymentRefusal } from './check_payment.ts';
import type { Parts } from './deps.ts';
import { X402_FORGOTTEN_AFTER_MS } from './limits.ts';
import { readPayment } from './read_payment.ts';
import { facilitatorRequest, requirementOf, requirementV1Of } from './requirements.ts';
import { resolveUnknown, settle } from './settlement.ts';
import * as store from './store.ts';
import type { Facilitator, TakenPayment, X402, X402Payment, X402Purchase } from './types.ts';

/** @param clock decides what has expired, and when to ask again */
export function createX402(options: Omit<Parts, 'clock'> & { clock?: () => Date }): X402 {
  const parts: Parts = { clock: () => new Date(), ...options };
  const { settings, database, clock } = parts;
  const offers = (credits: number) => settings.tokens.map((token) => requirementOf(settings, token, credits));
  return {
    offers,
    demand: (purchase) => ({
      v2: offers(purchase.credits),
      v1: settings.tokens.flatMap((token) => requirementV1Of(settings, token, purchase) ?? []),
    }),
    read: (sent) => checkPayment(settings, readPayment(sent), clock()),
    take: (payment, purchase) => take(parts, payment, purchase),
    settle: (taken, answer, receipt) => settle(parts, taken, { answer, receipt }),
    release: ({ id, claim }) => store.release(database, { id, claim, at: clock() }),
    async receipt(transferId) {
      const row = await store.selectReceipt(database, transferId);
      if (!row) return undefined;
      const { version, transaction, network, payer } = row;
      return { version, settlement: { success: true, transaction: transaction ?? '', network, payer } };
    },
    async recover() {
      const now = clock();
      await store.interrupt(database, now);
      await store.releaseDead(database, now);
    },
    releaseCalls: (calls) => store.releaseCalls(database, { calls, at: clock() }),
    sweep: async (now) =>
      (await resolveUnknown(parts, now)) +
      (await store.releaseDead(database, now)) +
      (await store.forget(database, new Date(now.getTime() - X402_FORGOTTEN_AFTER_MS))),
  };
}

async function take(parts: Parts, payment: X402Payment, purchase: X402Purchase): Promise<TakenPayment> {
  const { settings, database, wallets, clock } = parts;
  const requirement = requirementOf(settings, payment.token, purchase.credits);
  requireAmount(payment, requirement.amount);
  const request = facilitatorRequest(settings, payment, purchase);
  const amount = purchase.credits * MILLICREDITS_PER_CREDIT;
  const creditBack = (await wallets.isRegistered(payment.payer)) ? (amount * CREDIT_BACK_PERCENT) / 100 : 0;
  const taken: TakenPayment = {
    id: payment.id,
    claim: newCallId(),
    transferId: `x402:${payment.id}`,
    amount: requirement.amount,
    creditBack,
  };
  const now = clock();
  await claim(parts, {
    ...taken,
    version: payment.version,
    network: request.paymentRequirements.network,
    payer: payment.payer,
    tool: purchase.tool,
    amount,
    request,
    busyUntil: new Date(now.getTime() + HOLD_LIFETIME_MS),
    endsAt: new Date(Number(payment.authorization.validBefore) * 1000),
  });
  try {
    await verify(parts, payment, request);
    return taken;
  } catch (error) {
    await store.release(database, { id: taken.id, claim: taken.claim, at: clock() });
    throw error;
  }
}

/** "exact": neither less nor more. */
function requireAmount({ authorization, accepted }: X402Payment, amount: string): void {
  const wrong = [authorization.value, accepted?.amount].find((one) => one !== undefined && one !== amount);
  if (wrong === undefined) return;
  throw paymentRefusal(
    `It is for ${wrong}, but this call costs exactly ${amount} of the token's smallest unit.`,
  );
}

async function claim(parts: Parts, row: store.ClaimRow): Promise<void> {
  for (;;) {
    const now = parts.clock();
    const found = await store.claim(parts.database, row, now);
    if (found?.isOurs) return;
    // Undefined: the row was changing in that very moment.
    if (found) throw await whyTaken(parts, row.id, found.state);
  }
}

async function whyTaken(parts: Parts, id: string, state: store.PaymentState): Promise<AtelierError> {
  switch (state) {
    case 'settled':
      return new AtelierError('payment_used', 'This x402 payment has already paid for a call.');
    case 'refused':
      return paymentRefusal('It was refused when it was to be collected, so it cannot be used again.');
    case 'settling':
      await resolveUnknown(parts, parts.clock(), id);
      return new AtelierError('payment_unconfirmed', undefined, { retryAfterSeconds: 5 });
    case 'unresolved':
      return new AtelierError(
        'payment_unconfirmed',
        `It could not be found out whether this payment was collected. Look for your transfer on the chain: if it is there, do not pay again and tell the operator the id x402:${id} and the transaction; if you cancelled the authorization or used it elsewhere, make a new payment.`,
        { retryAfterSeconds: 3600 },
      );
    default:
      return new AtelierError('payment_in_use', undefined, { retryAfterSeconds: 2 });
  }
}

async function verify(
  { facilitator, logger }: Parts,
  { id, payer }: X402Payment,
  request: Parameters<Facilitator['verify']>[0],
): Promise<void> {
  const answer = await facilitator.verify(request);
  if (answer.outcome === 'unavailable') {
    logger.warn({ payment: id, reason: answer.reason }, 'the x402 facilitator cannot verify');
    throw new AtelierError('payment_check_failed', undefined, { retryAfterSeconds: 10 });
  }
  if (answer.outcome === 'invalid') throw paymentRefusal(`The facilitator says: ${answer.reason}.`);
  if (answer.payer !== undefined && answer.payer.toLowerCase() !== payer) {
    throw paymentRefusal(
      `The facilitator sees ${answer.payer} as the payer, the authorization names ${payer}.`,
    );
  }
}
