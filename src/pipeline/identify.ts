import type { Ownership, Proof, SignedRequest } from '../services/ownership/contract.ts';
import type { Limit } from '../tools/tool.ts';
import type { Caller, Principal } from './caller.ts';
import type { CallKit } from './kit.ts';
import { invalidToken, otherSignerError } from './ownership_problems.ts';
import { limitRate } from './rate_limit.ts';

const WALLET = /^0[xX][0-9a-fA-F]{40}$/;
const TOKEN = /^atl_/;

/**
 * For whom a call may act: whoever signed the request, or what the bearer stands for: the address of a wallet that is not
 * locked, or a session or key of ours. Where nothing has to be paid, a token we do not understand is no reason to refuse:
 * many clients send one header everywhere, and free calls need no credentials.
 * @throws AtelierError invalid_token for anything else that should pay, and for a session or key that does not hold;
 * invalid_signature; wallet_mismatch where signature and bearer are of two wallets
 */
export async function identify(
  kit: CallKit,
  caller: Caller,
  options: { mustPay: boolean },
): Promise<Principal> {
  const { bearer, signed } = caller;
  const { ownership } = kit.services;
  if (signed) return bySignature(await proofOfRequest(kit, caller, signed), bearer, ownership);
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

/** Recovering a signer costs two milliseconds, and asking a chain costs more: both are counted, whatever comes of it. */
async function proofOfRequest(kit: CallKit, caller: Caller, signed: SignedRequest): Promise<Proof> {
  const limit: Limit = {
    name: 'signed-requests',
    calls: 600,
    perSeconds: 60,
    by: 'address',
    failuresCount: true,
  };
  const { proof } = await limitRate(kit, [limit], { caller, principal: {} }, async () => ({
    headers: {},
    proof: await kit.services.ownership.proofOfRequest(signed),
  }));
  return proof;
}

/** A key that comes along keeps its bounds; the address says the same once more; anything else is a mistake of the sender. */
async function bySignature(
  proof: Proof,
  bearer: string | undefined,
  ownership: Pick<Ownership, 'proofOf'>,
): Promise<Principal> {
  const { wallet } = proof;
  const token = bearer !== undefined && TOKEN.test(bearer) ? await ownership.proofOf(bearer) : undefined;
  const named =
    token?.wallet ?? (bearer !== undefined && WALLET.test(bearer) ? bearer.toLowerCase() : wallet);
  if (named !== wallet) throw otherSignerError(wallet, named);
  return { wallet, proof: token?.key ? token : proof };
}

/** Who is counted: the wallet, else the network address. */
export const callerKey = (address: string, wallet: string | undefined): string => wallet ?? `ip:${address}`;

/** Whatever is kept from here on is counted for the wallet as well. */
export function nameVisitor({ visits }: CallKit, wallet: string | undefined): void {
  const visit = visits.current();
  if (visit) visit.wallet = wallet;
}
