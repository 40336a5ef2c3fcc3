import type { AnyTool } from '../tools/tool.ts';
import type { KeepAnswer } from './answer_once.ts';
import { envelope } from './envelope.ts';
import type { CallKit } from './kit.ts';
import { repeatGone } from './pay/charge_once.ts';
import type { Payment } from './pay/contract.ts';
import { freeCall } from './pay/payment.ts';
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
  const { payment, remarks, input, output, wallet, price } = outcome;
  const isFree = isWaived(remarks, price);
  if (!isFree && payment.receipt === undefined && price > 0) throw repeatGone();
  const paid = isFree ? undefined : payment.receipt;
  const { warnings, found } = remarks;
  const cost = { price: isFree ? 0 : price, found };
  const body = envelope(catalogue, tool, { input, output, wallet, warnings, cost, receipt: paid });
  const answer = signAnswer(receipts, tool, body, paid);
  const kept = await keep(answer);
  if (isFree) await payment.release();
  await (isFree ? freeCall(kit) : payment).settle(kept, answer.receipt);
  return answer;
}

/** What is held is of the moment before the run; where the run found less, the caller is not to pay for the difference in time. */
export const isWaived = ({ found }: Remarks, price: number): boolean =>
  found !== undefined && found.credits < price;
