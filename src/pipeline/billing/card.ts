import {
  CREDIT_BACK_PERCENT,
  CREDIT_CENTS,
  HOLD_LIFETIME_MS,
  MILLICREDITS_PER_CREDIT,
} from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { MppPayment } from '../../features/billing/mpp/mpp.ts';
import type { IntentHold } from '../../features/billing/types.ts';
import { usd } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { Payment, PipelineContext, ReceivedCall } from '../types.ts';
import { paymentRequired, withPaymentRequirements } from './payment_required.ts';
import { expectedPrice } from './price.ts';

interface HoldIntentOptions {
  /** In credits. */
  readonly price: number;
  /** Maximum price of such a call: a remaining amount below it cannot pay for another one. */
  readonly listed: number;
  /** X-Payment-Intent, as it was sent. */
  readonly intentId: string;
  /** The wallet for credit-back and surplus. It is not charged. */
  readonly wallet: string | undefined;
  /** Presented as the payment of one call: the remaining amount does not pay for another call. */
  readonly isForOneCall?: boolean;
}

/**
 * Holds the price of this call on a card's payment intent. @throws AtelierError: 402 with every other payment
 * method, or payment_unknown
 */
export async function holdIntent(
  context: PipelineContext,
  tool: AnyTool,
  asked: HoldIntentOptions,
): Promise<Payment> {
  const { payments } = context.services;
  const { price, listed, intentId, wallet, isForOneCall = false } = asked;
  const refuseFailure = <T>(work: () => Promise<T>) =>
    work().catch((error) => refuse(context, tool, { asked, error }));
  const hold = await refuseFailure(() =>
    payments.holdCall({
      intentId,
      tool: tool.name,
      price: price * MILLICREDITS_PER_CREDIT,
      listedPrice: listed * MILLICREDITS_PER_CREDIT,
      wallet,
      isForOneCall,
      expiresAt: new Date(Date.now() + HOLD_LIFETIME_MS),
    }),
  );
  return {
    receipt: receiptOf(hold, price),
    hold: hold.call,
    settle: (answer, receipt) => refuseFailure(() => payments.settleCall(hold, answer, receipt)),
    release: () => payments.releaseCall(hold),
  };
}

function receiptOf(
  { intent, surplus, claim, call, wallet, left }: IntentHold,
  price: number,
): Record<string, unknown> {
  const { id, livemode, amountCents } = intent;
  const beneficiary = intent.wallet ?? wallet;
  const isFirst = claim !== undefined;
  return {
    method: 'card',
    payment_intent_id: id,
    transaction_id: call,
    charged_usd: isFirst ? amountCents / 100 : 0,
    calls_left: Math.floor(left / (price * MILLICREDITS_PER_CREDIT)),
    livemode,
    ...(beneficiary && {
      wallet: beneficiary,
      credit_back: (price * CREDIT_BACK_PERCENT) / 100,
      ...(isFirst && surplus > 0 && { surplus_credits: surplus / MILLICREDITS_PER_CREDIT }),
    }),
  };
}

function refuse(
  context: PipelineContext,
  tool: AnyTool,
  { asked, error }: { asked: HoldIntentOptions; error: unknown },
): never {
  if (!(error instanceof AtelierError) || error.status !== 402) throw error;
  const { code, message, details } = error;
  const { price } = asked;
  const state = details.members?.payment_intent as { id: string } | undefined;
  throw paymentRequired(context, tool, {
    code,
    detail: `${message} ${tool.name} costs ${usd(price).toFixed(2)} USD.`,
    price,
    details: {
      ...details,
      members: {
        ...details.members,
        ...(state && {
          payment_intent: { ...state, pay_url: `${context.services.site.publicUrl}/pay/${state.id}` },
        }),
      },
    },
  });
}

/**
 * The token of the Payment scheme that came with this call. Undefined if none came, tokens are not accepted,
 * or the call is free.
 * @throws AtelierError payment_refused (402, with a new challenge)
 */
export function readMpp(
  context: PipelineContext,
  { tool, raw, client }: ReceivedCall,
): MppPayment | undefined {
  if (!context.mpp || client.mppCredential === undefined) return undefined;
  try {
    const payment = context.mpp.read(client.mppCredential);
    if (payment.tool === tool.name) return payment;
    throw new AtelierError(
      'payment_refused',
      `The payment is for a call of ${payment.tool}. You were not charged.`,
    );
  } catch (error) {
    throw withPaymentRequirements(context, tool, expectedPrice(tool, raw), error);
  }
}

/**
 * Authorises the payment token; from then on it is a card payment, but for this call only. The remaining amount pays for more calls
 * by X-Payment-Intent. @throws AtelierError
 */
export async function holdMpp(
  context: PipelineContext,
  tool: AnyTool,
  asked: { price: number; listed: number; payment: MppPayment; wallet: string | undefined },
): Promise<Payment> {
  const { price, listed, wallet } = asked;
  const intentId = await grantedIntent(context, tool, asked).catch((error: unknown) => {
    throw withPaymentRequirements(context, tool, price, error);
  });
  return holdIntent(context, tool, { price, listed, intentId, wallet, isForOneCall: true });
}

async function grantedIntent(
  { services: { payments } }: PipelineContext,
  tool: AnyTool,
  { price, listed, payment, wallet }: Parameters<typeof holdMpp>[2],
): Promise<string> {
  const { id: challenge, token, amountCents, expiresAt } = payment;
  if (amountCents < price * CREDIT_CENTS) {
    const detail = `The payment is for ${amountCents / 100} USD; this call costs ${usd(price)} USD. You were not charged.`;
    throw new AtelierError('payment_insufficient', detail);
  }
  const { id } = await payments.takeToken({
    challenge,
    token,
    amountCents,
    wallet,
    expiresAt,
    tool: tool.name,
    price: listed * MILLICREDITS_PER_CREDIT,
  });
  return id;
}
