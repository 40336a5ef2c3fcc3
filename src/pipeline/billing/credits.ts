import { creditsText } from '../../catalogue/next_steps.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { CREDIT_BACK_PERCENT, HOLD_LIFETIME_MS, MILLICREDITS_PER_CREDIT } from '../../limits.ts';
import { newCallId } from '../../services/neighbours/call_id.ts';
import type { Hold } from '../../services/wallets/contract.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import type { Payment } from './contract.ts';
import { unpaid } from './unpaid.ts';

/** Which hold, and for how long: that of a job has its name and outlives the connection. */
interface HoldTerms {
  readonly id: string;
  readonly lifetimeMs: number;
}

const forOneCall = (): HoldTerms => ({ id: newCallId(), lifetimeMs: HOLD_LIFETIME_MS });

/** Sets credits of the wallet aside. @throws AtelierError wallet_not_registered, insufficient_credits: both answer 402 */
export async function holdCredits(
  kit: CallKit,
  tool: AnyTool,
  { price, wallet }: { price: number; wallet: string },
  { id, lifetimeMs }: HoldTerms = forOneCall(),
): Promise<Payment> {
  const { wallets } = kit.services;
  try {
    const hold = await wallets.hold({
      id,
      wallet,
      amount: price * MILLICREDITS_PER_CREDIT,
      tool: tool.name,
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    return heldCredits(kit, hold);
  } catch (error) {
    throw error instanceof AtelierError && error.status === 402
      ? await withCredits(kit, tool, { price, wallet, error })
      : error;
  }
}

/** The payment of a call whose credits are held already. */
export function heldCredits(
  { services: { wallets } }: { readonly services: Pick<CallKit['services'], 'wallets'> },
  hold: Hold,
): Payment {
  const { id, wallet, amount, taken = amount } = hold;
  return {
    receipt: {
      method: 'credits',
      wallet,
      transaction_id: id,
      credit_back: (taken * CREDIT_BACK_PERCENT) / 100 / MILLICREDITS_PER_CREDIT,
    },
    hold: id,
    settle: async (answer, receipt) => void (await wallets.settle(hold, answer, receipt)),
    release: async () => void (await wallets.release(hold)),
    part: (credits) =>
      heldCredits({ services: { wallets } }, { ...hold, taken: credits * MILLICREDITS_PER_CREDIT }),
  };
}

async function withCredits(
  kit: CallKit,
  tool: AnyTool,
  { price, wallet, error }: { price: number; wallet: string; error: AtelierError },
): Promise<AtelierError> {
  const state = await kit.services.wallets.find(wallet);
  const available = (state?.available ?? 0) / MILLICREDITS_PER_CREDIT;
  const detail = state
    ? `${tool.name} costs ${creditsText(price)}; the wallet has ${available} available.`
    : `${tool.name} costs ${creditsText(price)}; the wallet ${wallet} is not registered yet.`;
  return unpaid(kit, tool, {
    code: error.code,
    detail,
    price,
    wallet: {
      wallet,
      registered: state !== undefined,
      balance: (state?.balance ?? 0) / MILLICREDITS_PER_CREDIT,
      available,
      shortfall: Math.round((price - available) * MILLICREDITS_PER_CREDIT) / MILLICREDITS_PER_CREDIT,
    },
  });
}
