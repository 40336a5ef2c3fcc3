import { createHash } from 'node:crypto';
import type { IssuedReceipt, PaymentRecord, Receipts } from '../services/receipts/contract.ts';
import type { AnyTool } from '../tools/tool.ts';

/** An answer as it will be sent; `text` are its characters where they matter, because a receipt names their sha256. */
export interface ComposedAnswer {
  readonly body: Record<string, unknown>;
  readonly text?: string;
  readonly receipt?: IssuedReceipt;
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
