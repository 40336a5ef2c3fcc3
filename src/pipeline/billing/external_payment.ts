import { X402_HEADERS } from '../../catalog/x402_names.ts';
import {
  CREDIT_BACK_PERCENT,
  CREDIT_CENTS,
  HOLD_LIFETIME_MS,
  MILLICREDITS_PER_CREDIT,
} from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { MppPayment } from '../../features/billing/mpp/mpp.ts';
import type { IntentHold } from '../../features/billing/types.ts';
import type { TakenPayment, X402Payment } from '../../features/billing/x402/types.ts';
import { usd } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { CallResponse, Payment, PipelineContext, ReceivedCall, X402Call } from '../types.ts';
import { base64, paymentRequired, resourceOf, withPaymentRequirements } from './payment_required.ts';
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
    receipt: cardReceipt(hold, price),
    hold: hold.call,
    settle: (answer, receipt) => refuseFailure(() => payments.settleCall(hold, answer, receipt)),
    release: () => payments.releaseCall(hold),
  };
}

function cardReceipt(
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

/**
 * The x402 payment of this call. Undefined where none came, x402 is off, or nothing has to be paid.
 * @throws AtelierError payment_malformed (400), payment_refused (402, with what to pay instead)
 */
export function readX402(
  context: PipelineContext,
  { tool, raw, client }: ReceivedCall,
): X402Call | undefined {
  if (!context.x402 || client.x402Payment === undefined) return undefined;
  try {
    return { service: context.x402, payment: context.x402.read(client.x402Payment) };
  } catch (error) {
    throw withPaymentRequirements(context, tool, expectedPrice(tool, raw), error);
  }
}

/** Claims and verifies the payment; the call runs only afterwards. @throws AtelierError */
export async function holdX402(
  context: PipelineContext,
  tool: AnyTool,
  { price, x402: { service, payment } }: { price: number; x402: X402Call },
): Promise<Payment> {
  const { name, summary } = tool;
  const withOffer = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw withPaymentRequirements(context, tool, price, error);
    });
  const purchase = {
    credits: price,
    tool: name,
    resource: resourceOf(context.services, tool),
    description: summary,
  };
  const taken = await withOffer(service.take(payment, purchase));
  return {
    receipt: x402Receipt(payment, taken),
    hold: taken.claim,
    settle: (kept, receipt) =>
      withOffer(service.settle(taken, kept, receipt)).catch((error: unknown) => {
        throw withFailedSettlement(payment, error);
      }),
    release: () => service.release(taken),
  };
}

function x402Receipt({ token, payer }: X402Payment, { transferId, amount, creditBack }: TakenPayment) {
  return {
    method: 'x402',
    wallet: payer,
    network: token.network,
    asset: token.asset,
    amount,
    transaction_id: transferId,
    credit_back: creditBack / 1000,
  };
}

/** Where settling was refused, the 402 carries the protocol's own error reason too. */
function withFailedSettlement({ version, token, payer }: X402Payment, error: unknown): unknown {
  if (!(error instanceof AtelierError) || error.code !== 'payment_not_settled') return error;
  const { headers, members } = error.details;
  const network = version === 1 ? token.v1Network : token.network;
  const settlement = { success: false, errorReason: members?.reason, transaction: '', network, payer };
  const header = { [X402_HEADERS.settlement[version]]: base64(settlement) };
  return new AtelierError(error.code, error.message, {
    ...error.details,
    headers: { ...headers, ...header },
  });
}

/** The settlement of a call that succeeded, with the signed receipt of the protocol; equal for each repeat of the response. */
export async function settlementHeaders(
  { services }: PipelineContext,
  { tool, x402 }: { tool: AnyTool; x402: X402Call },
  { body }: CallResponse,
): Promise<Record<string, string>> {
  const { service, payment } = x402;
  const { transaction_id: id, receipt: jws } = (body.payment ?? {}) as {
    transaction_id?: unknown;
    receipt?: string;
  };
  const receipt = typeof id === 'string' ? await service.receipt(id) : undefined;
  if (!receipt) return {};
  const { token, payer } = payment;
  const extensions = service.offerReceipts?.receipt({
    resource: resourceOf(services, tool),
    network: token.network,
    payer,
    at: signedAt(jws),
  });
  const settlement = { ...receipt.settlement, ...(extensions && { extensions }) };
  return { [X402_HEADERS.settlement[receipt.version]]: base64(settlement) };
}

/** When a paid call was first answered, by its own receipt. @param jws absent where the call was not charged */
export function signedAt(jws: string | undefined): Date {
  const { iat } = JSON.parse(Buffer.from(jws?.split('.')[1] ?? '', 'base64url').toString() || '{}');
  return typeof iat === 'number' ? new Date(iat * 1000) : new Date();
}
