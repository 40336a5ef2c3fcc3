import { creditsText } from '../../catalogue/next_steps.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Caller, CallKit, Payment, Purse } from '../types.ts';
import type { SentCall, ToolCall } from '../receive.ts';
import { holdIntent, holdMpp } from './card.ts';
import { type CallPrice, demandedPrice } from './price.ts';
import { holdCredits } from './credits.ts';
import { unpaid } from './payment_required.ts';
import { holdX402 } from './x402.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { KeepAnswer } from '../idempotency.ts';
import { repeatGone } from './repeats.ts';
import { envelope } from '../respond.ts';
import type { Remarks } from '../execute.ts';
import { createHash } from 'node:crypto';
import type { PaymentRecord, Receipts, SignedReceipt } from '../../services/receipts/contract.ts';

type Source = 'x402' | 'mpp' | 'card' | 'credits';
/** A payment that comes with the call itself. */
export type BroughtSource = Exclude<Source, 'credits'>;

/** THE choice among the ways to pay: a payment made for this call goes before the credits of a wallet. */
function sourceOf(kit: CallKit, { caller, wallet }: Purse): Source | undefined {
  if (kit.x402 && caller.x402Payment !== undefined) return 'x402';
  if (kit.mpp && caller.mppCredential !== undefined) return 'mpp';
  if (caller.paymentIntent !== undefined) return 'card';
  return wallet === undefined ? undefined : 'credits';
}

/** Undefined unless a payment came with the call itself, so that nothing is taken from a wallet. */
export const broughtSourceOf = (kit: CallKit, caller: Caller): BroughtSource | undefined =>
  sourceOf(kit, { caller, wallet: undefined }) as BroughtSource | undefined;

/**
 * A paid tool without any payment is refused before its input is looked at.
 * @throws AtelierError payment_required; payments_not_configured for an intent where no cards are taken
 */
export async function requirePayment(
  kit: CallKit,
  { tool, raw, mustPay }: SentCall,
  purse: Purse,
): Promise<void> {
  if (!mustPay) return;
  const source = sourceOf(kit, purse);
  if (source === 'card' && !kit.services.payments.takes) {
    throw new AtelierError(
      'payments_not_configured',
      'This server takes no cards, so X-Payment-Intent cannot pay. Use credits: registering a wallet grants 10.',
    );
  }
  if (source !== undefined) return;
  const price = await demandedPrice(kit, tool, raw, purse.caller);
  throw unpaid(kit, tool, {
    code: 'payment_required',
    detail: `${tool.name} costs ${creditsText(price)} and no payment was sent.`,
    price,
  });
}

/**
 * What is made of several calls is charged for those that succeed, which only credits can be.
 * @throws AtelierError payment_required, with the price
 */
export function requireCredits(
  kit: CallKit,
  { tool, caller, principal: { wallet } }: Pick<ToolCall, 'tool' | 'caller' | 'principal'>,
  price: number,
): void {
  if (!tool.steps || price === 0 || sourceOf(kit, { caller, wallet }) === 'credits') return;
  const detail = broughtSourceOf(kit, caller)
    ? `${tool.name} is paid with credits only, for it charges just the steps that succeed. Nothing was taken: send Authorization: Bearer, and no payment for a single call (X-Payment-Intent, x402, Authorization: Payment).`
    : `These steps cost ${creditsText(price)} together and no payment was sent.`;
  throw unpaid(kit, tool, { code: 'payment_required', detail, price });
}

/** Sets the price of this call aside. @throws AtelierError of the way it is paid; 402 carries every other way */
export async function holdPayment(
  kit: CallKit,
  call: ToolCall,
  { price, listed }: CallPrice,
): Promise<Payment> {
  requireCredits(kit, call, price);
  const { tool, caller, x402, mpp } = call;
  const { wallet } = call.principal;
  const source = price === 0 ? undefined : sourceOf(kit, { caller, wallet });
  if (source === 'x402') return holdX402(kit, tool, { price, x402: x402! });
  if (source === 'mpp') return holdMpp(kit, tool, { price, listed, payment: mpp!, wallet });
  if (source === 'card')
    return holdIntent(kit, tool, { price, listed, intentId: caller.paymentIntent!, wallet });
  if (source === 'credits') return holdCredits(kit, tool, { price, wallet: wallet! });
  return freeCall(kit);
}

/** A free call has nothing to set aside, but its answer is still kept for replay. */
export function freeCall(kit: CallKit): Payment {
  return {
    settle: async (answer) => void (answer && (await kit.answers.keep(answer))),
    release: async () => {},
  };
}

/** Runs `work`; gives back what was set aside and throws on where it fails. */
export async function releaseOnFailure<T>(payment: Payment, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await payment.release();
    throw error;
  }
}

interface Outcome {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly wallet: string | undefined;
  readonly remarks: Remarks;
  /** In credits; what is held. */
  readonly price: number;
  readonly payment: Payment;
}

/**
 * Composes the answer, signs it and, under an Idempotency-Key, writes it to the disk before the money moves. Where the tool has found
 * it to cost less than what is held, that is given back and the answer is kept as that of a free call.
 */
export async function settle(
  kit: CallKit,
  tool: AnyTool,
  outcome: Outcome,
  keep: KeepAnswer,
): Promise<ComposedAnswer> {
  const { catalogue, receipts } = kit.services;
  const { remarks, input, output, wallet, price } = outcome;
  const due = dueOf(remarks, price);
  const isFree = due === 0 && price > 0;
  if (due > 0 && outcome.payment.receipt === undefined) throw repeatGone();
  const payment = partOf(outcome.payment, { due, price });
  const paid = isFree ? undefined : payment.receipt;
  const { warnings, found = remarks.sum } = remarks;
  const cost = { price: due, found };
  const body = envelope(catalogue, tool, { input, output, wallet, warnings, cost, receipt: paid });
  const answer = signAnswer(receipts, tool, body, paid);
  const kept = await keep(answer);
  if (isFree) await payment.release();
  await (isFree ? freeCall(kit) : payment).settle(kept, answer.receipt);
  return answer;
}

/** Credits to take of what is held. */
export function dueOf(remarks: Remarks, price: number): number {
  if (remarks.sum) return remarks.sum.credits;
  return isWaived(remarks, price) ? 0 : price;
}

function partOf(payment: Payment, { due, price }: { due: number; price: number }): Payment {
  if (due === 0 || due === price) return payment;
  if (!payment.part) throw new Error('This payment is taken whole or not at all.');
  return payment.part(due);
}

/** What is held is of the moment before the run; where the run found less, the caller is not to pay for the difference in time. */
export const isWaived = ({ found }: Remarks, price: number): boolean =>
  found !== undefined && found.credits < price;

/** An answer as it will be sent; `text` are its characters where they matter, because a receipt names their sha256. */
export interface ComposedAnswer {
  readonly body: Record<string, unknown>;
  readonly text?: string;
  readonly receipt?: SignedReceipt;
}

/**
 * Puts a signed receipt into the answer of a paid call, and leaves a free one as it is. The receipt names the sha256 of
 * the answer as it is sent with the receipt's own text cut out, so that anybody can check it on the bytes they got.
 */
export function signAnswer(
  receipts: Receipts,
  tool: AnyTool,
  body: Record<string, unknown>,
  payment: PaymentRecord | undefined,
): ComposedAnswer {
  if (!payment) return { body };
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
    text: fillInReceipt(unsigned, id, jws),
  };
}

/** Spliced instead of written anew: an answer may hold megabytes of base64. No other place has the id, which is new. */
function fillInReceipt(text: string, id: string, jws: string): string {
  const before = `"receipt_id":${JSON.stringify(id)},"receipt":"`;
  const at = text.lastIndexOf(before) + before.length;
  return text.slice(0, at) + jws + text.slice(at);
}
