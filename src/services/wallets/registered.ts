import type { Queryable } from '../../database/contract.ts';
import * as store from './store.ts';

const REGISTERED_WALLETS_REMEMBERED_MAX = 100_000;

/** Tells whether a wallet is registered. A wallet is so for ever, so a yes is remembered; the oldest are forgotten. */
export function createRegistered(database: Queryable): (wallet: string) => Promise<boolean> {
  const known = new Set<string>();
  return async (wallet) => {
    if (known.has(wallet)) return true;
    if (!(await store.isRegistered(database, wallet))) return false;
    known.add(wallet);
    if (known.size > REGISTERED_WALLETS_REMEMBERED_MAX) known.delete(known.values().next().value!);
    return true;
  };
}
