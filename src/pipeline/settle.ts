import type { AnyTool } from '../tools/tool.ts';
import type { KeepAnswer } from './answer_once.ts';
import { repeatGone } from './billing/charge_once.ts';
import type { Payment } from './billing/contract.ts';
import { freeCall } from './billing/payment.ts';
import { envelope } from './envelope.ts';
import type { CallKit } from './kit.ts';
import type { Remarks } from './run_tool.ts';
import { type ComposedAnswer, signAnswer } from './sign_answer.ts';

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
