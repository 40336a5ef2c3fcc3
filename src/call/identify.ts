import type { Ownership, Proof } from '../services/ownership/index.ts';
import type { Caller } from './caller.ts';
import { invalidToken } from './ownership_problems.ts';

const WALLET = /^0[xX][0-9a-fA-F]{40}$/;
const TOKEN = /^atl_/;

/** For whom a call may act. Wallets in lower case. */
export interface Principal {
  /** Absent for an anonymous call, and for one that only names the address of a locked wallet. */
  readonly wallet?: string;
  /** How the wallet was proved; absent where its address was enough. */
  readonly proof?: Proof;
  /** A locked wallet whose address came as bearer: whatever needs that wallet is refused, everything else is free to run. */
  readonly lockedWallet?: string;
}

/**
 * What the bearer token stands for: the address of a wallet that is not locked, or a session or key of ours. Where nothing
 * has to be paid, a token we do not understand is no reason to refuse: many clients send one header everywhere, and free
 * calls need no credentials.
 * @throws AtelierError invalid_token for anything else that should pay, and for a session or key that does not hold
 */
export async function identify(
  { bearer }: Pick<Caller, 'bearer'>,
  ownership: Pick<Ownership, 'lockedAt' | 'proofOf'>,
  options: { mustPay: boolean },
): Promise<Principal> {
  if (bearer === undefined) return {};
  if (TOKEN.test(bearer)) {
    const proof = await ownership.proofOf(bearer);
    return { wallet: proof.wallet, proof };
  }
  if (!WALLET.test(bearer)) {
    if (options.mustPay) throw invalidToken();
    return {};
  }
  const wallet = bearer.toLowerCase();
  return (await ownership.lockedAt(wallet)) ? { lockedWallet: wallet } : { wallet };
}

/** Who is counted: the wallet, else the network address. */
export const callerKey = (address: string, wallet: string | undefined): string => wallet ?? `ip:${address}`;
