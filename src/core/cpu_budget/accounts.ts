import { addressPrefixes } from '../rate_limits/shared_limiter.ts';
import type { Bucket } from './buckets.ts';
import { CPU_CREDITS_FACTOR, CPU_NETWORK_FACTORS } from './limits.ts';
import type { CpuAccount, CpuLimits, CpuScope } from './types.ts';

/** A budget with its subject. */
export interface Budget extends Bucket {
  readonly scope: CpuScope;
  /** Display name for operators. */
  readonly name: string;
}

/** The budgets an account draws on, computed once for each of its two states. */
export function createAccounts(limits: CpuLimits): (account: CpuAccount) => readonly Budget[] {
  const known = new WeakMap<CpuAccount, { credits: CpuAccount['credits']; budgets: readonly Budget[] }>();
  return (account) => {
    const { credits } = account;
    const found = known.get(account);
    if (found && found.credits === credits) return found.budgets;
    const budgets = budgetsOf(limits, account);
    known.set(account, { credits, budgets });
    return budgets;
  };
}

/**
 * Work without credits draws on the address. All work of an address, with credits or without, draws on 4 times its budget and on the
 * networks: wallets cost nothing to make, so no number of them gets more from one address.
 */
function budgetsOf({ burst, refill }: CpuLimits, { address, credits }: CpuAccount): Budget[] {
  const [host, ...networks] = addressPrefixes(address) as [string, ...string[]];
  const budget = (scope: CpuScope, name: string, factor: number): Budget => ({
    scope,
    name,
    key: `${scope} ${name}`,
    capacity: burst * factor,
    refill: refill * factor,
  });
  const factorOf = (network: string) => CPU_NETWORK_FACTORS[network.split('/')[1]!]!;
  return [
    ...(credits ? [] : [budget('address', host, 1)]),
    ...(credits?.provenWallet ? [budget('wallet', credits.provenWallet, CPU_CREDITS_FACTOR)] : []),
    { ...budget('address', host, CPU_CREDITS_FACTOR), key: `${ALL} ${host}` },
    ...networks.map((network) => budget('network', network, factorOf(network))),
  ];
}

/** Key prefix of the budget for all work of one address. */
export const ALL = 'all of';
