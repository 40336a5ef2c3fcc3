import type { Principal } from './caller.ts';
import type { CallKit } from './kit.ts';

/**
 * Whether the request that runs now may use CPU time. Where the budget of its address is used up, a wallet with credits has a larger
 * one: the wallet is looked up only then. Outside of a request, as in maintenance, nothing is counted.
 * @throws AtelierError rate_limited
 */
export async function requireCpu(kit: CallKit, { wallet, proof }: Principal): Promise<void> {
  const account = kit.visits.current()?.cpu;
  if (!account) return;
  const isShort = kit.cpu.isExhausted(account) && !account.credits;
  if (isShort && wallet !== undefined && (await hasCredits(kit, wallet)))
    account.credits = { provenWallet: proof ? wallet : undefined };
  kit.cpu.require(account);
}

/**
 * The same before the body is read, when the caller is not identified yet: a request that brings credentials is refused only where
 * a wallet with credits would be as well.
 * @throws AtelierError rate_limited
 */
export function requireCpuEarly(kit: CallKit, { bringsCredentials }: { bringsCredentials: boolean }): void {
  const account = kit.visits.current()?.cpu;
  if (!account) return;
  kit.cpu.require(bringsCredentials ? { ...account, credits: {} } : account);
}

const hasCredits = async ({ services: { wallets } }: CallKit, wallet: string): Promise<boolean> => {
  const state = await wallets.find(wallet);
  return state !== undefined && !state.isBlocked && state.available > 0;
};
