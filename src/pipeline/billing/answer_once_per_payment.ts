import { createHash } from 'node:crypto';
import { MPP_HEADERS } from '../../catalogue/mpp_names.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Answer, Caller } from '../caller.ts';
import type { CallKit } from '../kit.ts';
import type { ToolCall } from '../tool_call.ts';
import { likelyPrice } from './likely_price.ts';
import { withDemand } from './with_demand.ts';
import { settlementHeaders } from './x402.ts';

/**
 * Runs the call once a payment: it is its own Idempotency-Key, so a payer whose answer was lost collects it by repeating
 * the call and does not pay twice. The answer carries what the settlement said.
 * @param work runs under the caller it is given
 */
export async function answerOncePerPayment(
  kit: CallKit,
  call: ToolCall,
  work: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const { tool, raw, caller } = call;
  const own = keyOf(call);
  if (own === undefined) return work(caller);
  try {
    const answer = await work(caller.idempotencyKey === undefined ? asPayer(call, own) : caller);
    return { ...answer, headers: { ...answer.headers, ...(await headersOf(call, answer)) } };
  } catch (error) {
    const isReused = error instanceof AtelierError && error.code === 'idempotency_key_reused';
    if (!isReused || caller.idempotencyKey !== undefined) throw error;
    const used = new AtelierError('payment_used', 'This payment came with another call before.');
    throw withDemand(kit, tool, likelyPrice(tool, raw), used);
  }
}

/** The same for every copy of one payment. Whoever knows a challenge but not its token has another key. */
function keyOf({ x402, mpp }: ToolCall): string | undefined {
  if (x402) return `x402:${x402.payment.id}`;
  if (mpp) return `mpp:${createHash('sha256').update(`${mpp.id} ${mpp.token}`).digest('base64url')}`;
  return undefined;
}

/** A payer without a wallet is known by the payment, from whatever address the answer is collected. */
const asPayer = ({ caller, mpp }: ToolCall, own: string): Caller => ({
  ...caller,
  idempotencyKey: own,
  ...(mpp && { address: own }),
});

async function headersOf({ x402, mpp }: ToolCall, answer: Answer): Promise<Record<string, string>> {
  if (x402) return settlementHeaders(x402.service, answer);
  const { payment_intent_id: reference, receipt } = (answer.body.payment ?? {}) as Paid;
  if (!mpp || reference === undefined) return {};
  const settled = { status: 'success', method: 'stripe', timestamp: signedAt(receipt), reference };
  return { [MPP_HEADERS.receipt]: Buffer.from(JSON.stringify(settled)).toString('base64url') };
}

interface Paid {
  readonly payment_intent_id?: string;
  /** Signed, as JWS. */
  readonly receipt?: string;
}

/** When the answer was first given: it stands in its receipt, so that a repeat says the same. */
function signedAt(jws: string | undefined): string {
  const { iat } = JSON.parse(Buffer.from(jws?.split('.')[1] ?? '', 'base64url').toString() || '{}');
  return new Date(typeof iat === 'number' ? iat * 1000 : Date.now()).toISOString();
}
