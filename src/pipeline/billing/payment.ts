import { createHash } from 'node:crypto';
import { creditsText } from '../../catalog/next_steps.ts';
import { releaseOrOwe } from '../../core/cluster/members/call_id.ts';
import { sqlErrorOf } from '../../core/database/sql_error.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Proof } from '../../core/principal.ts';
import type { PaymentRecord, Receipts } from '../../features/billing/receipts/types.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { holdGone } from '../../features/wallets/wallets.ts';
import type { PlacedAct } from '../../features/workspaces/types.ts';
import { limitProofs } from '../authenticate.ts';
import type { RunNotes } from '../execute.ts';
import { composeBody } from '../respond.ts';
import type {
  ComposedResponse,
  Payment,
  PaymentMethod,
  PipelineContext,
  PresentedPayments,
  ReceivedCall,
  StoreResponse,
  ToolCall,
} from '../types.ts';
import { holdCredits } from './credits.ts';
import { holdIntent, holdMpp, holdX402, readMpp, readX402 } from './external_payment.ts';
import { paymentRequired, resourceOf, withPaymentRequirements } from './payment_required.ts';
import { type CallPrice, expectedPrice, requestedPrice } from './price.ts';
import { repeatExpired } from './repeats.ts';

/**
 * Reads the payments that came with a call of a priced tool.
 * @throws AtelierError payment_malformed (400), payment_refused (402)
 */
export const readPayments = (context: PipelineContext, call: ReceivedCall): PresentedPayments => ({
  x402: readX402(context, call),
  mpp: readMpp(context, call),
});

/**
 * Refuses a call of a priced tool without any payment, before its input is validated.
 * @throws AtelierError payment_required; payments_not_configured for a payment intent if cards are not
 * accepted
 */
export async function requirePayment(
  context: PipelineContext,
  { tool, raw, client }: Pick<ReceivedCall, 'tool' | 'raw' | 'client'>,
  method: PaymentMethod | undefined,
): Promise<void> {
  if (method === 'card' && !context.services.payments.takes) {
    throw new AtelierError(
      'payments_not_configured',
      'This server does not accept cards, so X-Payment-Intent cannot be used. Pay with credits. Registering a wallet grants 10.',
    );
  }
  if (method !== undefined) return;
  const price = await requestedPrice(context, tool, raw, client);
  throw paymentRequired(context, tool, {
    code: 'payment_required',
    detail: `${tool.name} costs ${creditsText(price)} and no payment was sent.`,
    price,
  });
}

/**
 * A call with steps is charged for the successful ones, which only credits allow.
 * @throws AtelierError payment_required, with the price
 */
export function requireCredits(
  context: PipelineContext,
  { tool, method }: Pick<ToolCall, 'tool' | 'method'>,
  price: number,
): void {
  if (!tool.steps || price === 0 || method === 'credits') return;
  const detail =
    method !== undefined
      ? `${tool.name} accepts credits only, because it charges only for the steps that succeed. You were not charged. Send Authorization: Bearer, without a payment for a single call (X-Payment-Intent, x402, Authorization: Payment).`
      : `These steps cost ${creditsText(price)} together and no payment was sent.`;
  throw paymentRequired(context, tool, { code: 'payment_required', detail, price });
}

/**
 * Holds the price of a call; returns undefined if it is 0.
 * @throws AtelierError of the payment method; a 402 lists every other payment method
 */
export async function holdPayment(
  context: PipelineContext,
  call: ToolCall,
  { price, listed }: CallPrice,
): Promise<Payment | undefined> {
  requireCredits(context, call, price);
  if (price === 0) return undefined;
  const { tool, client, x402, mpp, method } = call;
  const { wallet } = call.principal;
  switch (method) {
    case 'x402':
      return holdX402(context, tool, { price, x402: x402! });
    case 'mpp':
      return holdMpp(context, tool, { price, listed, payment: mpp!, wallet });
    case 'card':
      return holdIntent(context, tool, { price, listed, intentId: client.paymentIntent!, wallet });
    case 'credits':
      return holdCredits(context, call, { price, wallet: wallet! });
    default:
      return undefined;
  }
}

/**
 * Runs `work` and releases the hold if it fails. @throws AtelierError busy if a row was to be stored for a
 * hold that no longer exists
 */
export async function releaseOnFailure<T>(payment: Payment | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await releaseOrOwe(() => payment?.release());
    throw sqlErrorOf(error)?.constraint === 'asset_hold_is_open' ? holdGone() : error;
  }
}

interface Outcome {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly wallet: string | undefined;
  readonly notes: RunNotes;
  /** In credits, as held. */
  readonly price: number;
  readonly full?: number | undefined;
  readonly payment: Payment | undefined;
  readonly isModel?: boolean | undefined;
  readonly workspace?: PlacedAct | undefined;
}

/**
 * Composes the response, signs it and, under an Idempotency-Key, writes it to the disk before the money moves. Where the tool found
 * less to charge than is held, the rest is released; where that is everything, the response is stored as that of a free call.
 */
export async function settle(
  context: PipelineContext,
  tool: AnyTool,
  { notes, input, output, wallet, price, full, isModel, workspace, payment: held }: Outcome,
  store: StoreResponse,
): Promise<ComposedResponse> {
  const due = amountDue(notes, { price, full });
  const { warnings, lookedAt, found = notes.sum } = notes;
  const about = { input, output, wallet, isModel, workspace };
  const finished = { ...about, warnings, lookedAt, cost: { price: due, found } };
  if (due === 0) {
    const response = { body: composeBody(context.services.catalogue, tool, finished) };
    const stored = await store(response);
    await held?.release();
    if (stored) await context.answers.keep(stored);
    return response;
  }
  if (!held) throw repeatExpired();
  const payment = partOf(held, { due, price });
  const { receipt } = payment;
  const body = composeBody(context.services.catalogue, tool, { ...finished, receipt });
  const response = signReceipt(context.services.receipts, tool, body, receipt);
  await payment.settle(await store(response), response.receipt);
  return response;
}

/** Credits to charge of the hold. */
export function amountDue(notes: RunNotes, priced: Priced): number {
  if (notes.sum) return notes.sum.credits;
  return isDiscounted(notes, priced) ? 0 : priced.price;
}

function partOf(payment: Payment, { due, price }: { due: number; price: number }): Payment {
  if (due === price) return payment;
  if (!payment.part) throw new Error('This payment is taken whole or not at all.');
  return payment.part(due);
}

interface Priced {
  readonly price: number;
  /** Price without price rules, which the run does not know; default: the price. */
  readonly full?: number | undefined;
}

/**
 * The hold is priced before the run. If the run found a lower price, the call is free rather than charged the
 * old price.
 */
export const isDiscounted = ({ found }: RunNotes, { price, full = price }: Priced): boolean =>
  found !== undefined && found.credits < full;

/**
 * Puts a signed receipt into the response of a paid call. The receipt contains the sha256 of the response as
 * it is sent, without the text of the receipt, so that a client can verify it on the bytes it received.
 */
function signReceipt(
  receipts: Receipts,
  tool: AnyTool,
  body: Record<string, unknown>,
  payment: PaymentRecord,
): ComposedResponse {
  const id = receipts.idOf(payment);
  const withPlace = { ...body, payment: { ...payment, receipt_id: id, receipt: '' } };
  const unsigned = JSON.stringify(withPlace);
  const receipt = receipts.sign({
    id,
    tool: tool.name,
    cost: body.cost as { credit: number; usd: number },
    payment,
    answerSha256: createHash('sha256').update(unsigned).digest('hex'),
  });
  const { jws } = receipt;
  return {
    receipt,
    body: { ...withPlace, payment: { ...withPlace.payment, receipt: jws } },
    text: insertReceipt(unsigned, id, jws),
  };
}

/**
 * Spliced instead of serialised again: a response may hold megabytes of base64. The id is new, so it occurs
 * nowhere else.
 */
function insertReceipt(text: string, id: string, jws: string): string {
  const before = `"receipt_id":${JSON.stringify(id)},"receipt":"`;
  const at = text.lastIndexOf(before) + before.length;
  return text.slice(0, at) + jws + text.slice(at);
}

/**
 * The wallet that signed the challenge of a 402 for this call. Undefined if none did, sign-ins are off, or
 * the request itself is signed.
 * @throws AtelierError sign_in_refused, with a fresh challenge and every payment method; rate_limited
 */
export async function readSignIn(
  context: PipelineContext,
  { tool, raw, client }: ReceivedCall,
): Promise<Proof | undefined> {
  const { signIns, services } = context;
  const { signIn, signed } = client;
  if (!signIns || signIn === undefined || signed) return undefined;
  const target = { tool: tool.name, resource: resourceOf(services, tool) };
  try {
    return await limitProofs(context, client, () => signIns.proofOf(signIn, target));
  } catch (error) {
    throw withPaymentRequirements(context, tool, expectedPrice(tool, raw), error);
  }
}
