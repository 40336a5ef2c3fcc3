import { AtelierError } from '../../errors/atelier_error.ts';
import { CREDIT_CENTS, MILLICREDITS_PER_CREDIT } from '../../limits.ts';
import type { MppPayment } from '../../services/mpp/contract.ts';
import { usd } from '../../tools/price.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import type { SentCall } from '../tool_call.ts';
import { holdIntent } from './card.ts';
import type { Payment } from './contract.ts';
import { likelyPrice } from './likely_price.ts';
import { withDemand } from './with_demand.ts';

/**
 * The payment of the Payment scheme that came with this call. Undefined where none came, none is taken, or nothing has to be paid.
 * @throws AtelierError payment_refused (402, with a new challenge)
 */
export function readMpp(kit: CallKit, { tool, raw, caller, mustPay }: SentCall): MppPayment | undefined {
  if (!kit.mpp || caller.mppCredential === undefined || !mustPay) return undefined;
  try {
    const payment = kit.mpp.read(caller.mppCredential);
    if (payment.tool === tool.name) return payment;
    throw new AtelierError(
      'payment_refused',
      `The payment is for a call of ${payment.tool}. Nothing was taken.`,
    );
  } catch (error) {
    throw withDemand(kit, tool, likelyPrice(tool, raw), error);
  }
}

/**
 * Has the card set the money aside that the payment token stands for; from there on it is a payment by card, but for this one call
 * only. What it leaves over is good for more calls by X-Payment-Intent. @throws AtelierError
 */
export async function holdMpp(
  kit: CallKit,
  tool: AnyTool,
  asked: { price: number; listed: number; payment: MppPayment; wallet: string | undefined },
): Promise<Payment> {
  const { price, listed, wallet } = asked;
  const intentId = await grantedIntent(kit, tool, asked).catch((error: unknown) => {
    throw withDemand(kit, tool, price, error);
  });
  return holdIntent(kit, tool, { price, listed, intentId, wallet, isForOneCall: true });
}

async function grantedIntent(
  { services: { payments } }: CallKit,
  tool: AnyTool,
  { price, listed, payment, wallet }: Parameters<typeof holdMpp>[2],
): Promise<string> {
  const { id: challenge, token, amountCents, expiresAt } = payment;
  if (amountCents < price * CREDIT_CENTS) {
    const detail = `The payment is for ${amountCents / 100} USD; this call costs ${usd(price)} USD. Nothing was taken.`;
    throw new AtelierError('payment_insufficient', detail);
  }
  const { id } = await payments.takeToken({
    ...{ challenge, token, amountCents, wallet, expiresAt },
    tool: tool.name,
    price: listed * MILLICREDITS_PER_CREDIT,
  });
  return id;
}
