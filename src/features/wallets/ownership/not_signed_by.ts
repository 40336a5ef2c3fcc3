import type { OwnershipDeps } from './deps.ts';
import { personalHash, recoverSigner } from './recover_signer.ts';

interface Claim {
  /** Lower case. */
  readonly wallet: string;
  readonly chainId: number;
  readonly message: Uint8Array;
  /** 0x and hex. */
  readonly signature: string;
}

/**
 * Why the signature is not valid for the wallet and message (EIP-191); undefined where it is valid. An ECDSA signature is checked
 * first, without the chain: the holder of the private key owns the address, whatever code runs there (EIP-7702).
 * @throws AtelierError chain_unavailable, busy
 */
export async function notSignedBy(
  { contracts }: Pick<OwnershipDeps, 'contracts'>,
  { wallet, chainId, message, signature }: Claim,
): Promise<string | undefined> {
  if (recoverSigner(message, signature) === wallet) return undefined;
  const notOfKey = `the signature is not one of ${wallet} over this message (EIP-191, 65 bytes in hex)`;
  if (!contracts) {
    return `${notOfKey}. If the wallet is a contract: this server cannot verify contract wallets, because its operator has not set EVM_RPC_URL`;
  }
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(signature)) return notOfKey;
  const verdict = await contracts.judge({ wallet, chainId, hash: personalHash(message), signature });
  return verdict.accepted ? undefined : verdict.why;
}
