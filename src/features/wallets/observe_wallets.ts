import { MILLICREDITS_PER_CREDIT } from '../../config/limits.ts';
import type { Telemetry } from '../../core/telemetry/types.ts';
import type { Wallets } from './types.ts';

/** Counts the credits that calls charge and return. */
export function observeWallets(wallets: Wallets, { count }: Pick<Telemetry, 'count'>): Wallets {
  const countBack = (millicredits: number) =>
    count('atelier_credits_given_back_total', {}, millicredits / MILLICREDITS_PER_CREDIT);
  return {
    ...wallets,
    async settle(hold, answer, receipt) {
      const settled = await wallets.settle(hold, answer, receipt);
      const { tool, amount, taken = amount } = hold;
      count('atelier_credits_charged_total', { tool }, taken / MILLICREDITS_PER_CREDIT);
      count('atelier_credit_back_total', {}, settled.creditBack / MILLICREDITS_PER_CREDIT);
      countBack(amount - taken);
      return settled;
    },
    async release(hold, tx) {
      const released = await wallets.release(hold, tx);
      countBack(released);
      return released;
    },
  };
}
