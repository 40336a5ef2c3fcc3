import { AtelierError } from '../../errors/atelier_error.ts';
import { CREDIT_BACK_PERCENT, HOLD_LIFETIME_MS, MILLICREDITS_PER_CREDIT } from '../../limits.ts';
import type { IntentHold } from '../../services/payments/contract.ts';
import { usd } from '../../tools/price.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import type { Payment } from './contract.ts';
import { unpaid } from './unpaid.ts';

interface Asked {
  /** In credits. */
  readonly price: number;
  /** What such a call costs at most: what is left of the card's payment below that pays no other one. */
  readonly listed: number;
  /** X-Payment-Intent, as it was sent. */
  readonly intentId: string;
  /** Whom the caller acts for; credit-back and surplus go there. It pays nothing itself. */
  readonly wallet: string | undefined;
  /** It came as the payment of one call: what it has left over pays no other one by coming again. */
  readonly isForOneCall?: boolean;
}

/** Takes a card's payment intent for this call. @throws AtelierError: 402 with every other way to pay, or payment_unknown */
export async function holdIntent(kit: CallKit, tool: AnyTool, asked: Asked): Promise<Payment> {
  const { payments } = kit.services;
  const { price, listed, intentId, wallet, isForOneCall = false } = asked;
  const refuseFailure = <T>(work: () => Promise<T>) =>
    work().catch((error) => refuse(kit, tool, { asked, error }));
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
    receipt: receiptOf(hold, price),
    hold: hold.call,
    settle: (answer, receipt) => refuseFailure(() => payments.settleCall(hold, answer, receipt)),
    release: () => payments.releaseCall(hold),
  };
}

function receiptOf(
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

function refuse(kit: CallKit, tool: AnyTool, { asked, error }: { asked: Asked; error: unknown }): never {
  if (!(error instanceof AtelierError) || error.status !== 402) throw error;
  const { code, message, details } = error;
  const { price } = asked;
  const state = details.members?.payment_intent as { id: string } | undefined;
  throw unpaid(kit, tool, {
    code,
    detail: `${message} ${tool.name} costs ${usd(price).toFixed(2)} USD.`,
    price,
    details: {
      ...details,
      members: {
        ...details.members,
        ...(state && {
          payment_intent: { ...state, pay_url: `${kit.services.site.publicUrl}/pay/${state.id}` },
        }),
      },
    },
  });
}
