import { creditsText } from '../catalogue/next_steps.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import type { SignedReceipt } from '../services/receipts/contract.ts';
import type { KeptAnswer } from '../services/wallets/contract.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';
import type { Caller } from './caller.ts';
import type { CallPrice } from './charge_of.ts';
import { holdCredits } from './credit_payment.ts';
import { isDryRun } from './dry_run.ts';
import { holdIntent } from './intent_payment.ts';
import { demandedPrice } from './likely_price.ts';
import { unpaid } from './payment_problem.ts';
import { holdX402, type X402Call } from './x402_payment.ts';

/** The money side of one call, from hold to settlement. */
export interface Payment {
  /** What the answer says about the payment; absent when the call is free. */
  readonly receipt?: Record<string, unknown>;
  /** Names what is held in the ledger while the tool runs; absent when the call is free. */
  readonly hold?: string;
  /**
   * Takes what was set aside; keeps the answer and the signed receipt in the same transaction. Until it returns the answer
   * is not given out.
   */
  settle(answer: KeptAnswer | undefined, receipt?: SignedReceipt): Promise<void>;
  /** Gives back what was set aside. */
  release(): Promise<void>;
}

/** What a caller can pay with. */
export interface Purse {
  readonly caller: Caller;
  /** The wallet the caller acts for. */
  readonly wallet: string | undefined;
  /** The x402 payment that came with the call, once it has been read. */
  readonly x402?: X402Call | undefined;
}

type Source = 'x402' | 'card' | 'credits';

/** THE choice among the ways to pay: a payment made for this call goes before the credits of a wallet. */
function sourceOf(kit: CallKit, { caller, wallet }: Purse): Source | undefined {
  if (kit.x402 && caller.x402Payment !== undefined) return 'x402';
  if (caller.paymentIntent !== undefined) return 'card';
  return wallet === undefined ? undefined : 'credits';
}

/** Undefined unless a payment came with the call itself, so that nothing is taken from a wallet. */
export const broughtPayment = (kit: CallKit, caller: Caller): 'x402' | 'card' | undefined =>
  sourceOf(kit, { caller, wallet: undefined }) as 'x402' | 'card' | undefined;

/**
 * A paid tool without any payment is refused before its input is looked at.
 * @throws AtelierError payment_required; payments_not_configured for an intent where no cards are taken
 */
export async function requirePayment(kit: CallKit, tool: AnyTool, raw: unknown, purse: Purse): Promise<void> {
  if (highestPrice(tool.price) === 0 || isDryRun(raw)) return;
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

/** Sets the price of this call aside. @throws AtelierError of the way it is paid; 402 carries every other way */
export async function holdPayment(
  kit: CallKit,
  tool: AnyTool,
  { price, listed }: CallPrice,
  purse: Purse,
): Promise<Payment> {
  const { caller, wallet, x402 } = purse;
  const source = price === 0 ? undefined : sourceOf(kit, purse);
  if (source === 'x402') return holdX402(kit, tool, { price, x402: x402! });
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
