import { randomUUID } from 'node:crypto';
import { creditsText } from '../catalogue/next_steps.ts';
import { AtelierError } from '../errors.ts';
import { CREDIT_BACK_PERCENT, HOLD_LIFETIME_MS, MILLICREDITS_PER_CREDIT } from '../limits.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';
import { orRelease } from './or_release.ts';
import type { Payment } from './payment.ts';
import { unpaid } from './payment_problem.ts';

/** Sets credits of the wallet aside. @throws AtelierError wallet_not_registered, insufficient_credits: both answer 402 */
export async function holdCredits(
  kit: CallKit,
  tool: AnyTool,
  { price, wallet }: { price: number; wallet: string },
): Promise<Payment> {
  const { wallets } = kit.services;
  try {
    const hold = await wallets.hold({
      id: `call_${randomUUID()}`,
      wallet,
      amount: price * MILLICREDITS_PER_CREDIT,
      tool: tool.name,
      expiresAt: new Date(Date.now() + HOLD_LIFETIME_MS),
    });
    return {
      receipt: {
        method: 'credits',
        wallet,
        transaction_id: hold.id,
        credit_back: (price * CREDIT_BACK_PERCENT) / 100,
      },
      hold: hold.id,
      settle: async (answer, receipt) => void (await wallets.settle(hold, answer, receipt)),
      releaseOnFailure: (work) => orRelease(work, () => wallets.release(hold)),
    };
  } catch (error) {
    throw error instanceof AtelierError && error.status === 402
      ? await withCredits(kit, tool, { price, wallet, error })
      : error;
  }
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
