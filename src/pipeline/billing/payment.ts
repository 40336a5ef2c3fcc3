import { creditsText } from '../../catalogue/next_steps.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Caller } from '../caller.ts';
import type { CallKit } from '../kit.ts';
import type { SentCall, ToolCall } from '../tool_call.ts';
import { holdIntent } from './card.ts';
import type { CallPrice } from './charge_of.ts';
import type { Payment, Purse } from './contract.ts';
import { holdCredits } from './credits.ts';
import { demandedPrice } from './likely_price.ts';
import { holdMpp } from './mpp.ts';
import { unpaid } from './unpaid.ts';
import { holdX402 } from './x402.ts';

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
