import { keccak_256 } from '@noble/hashes/sha3.js';
import { recoverAddress } from './recover_address.ts';

/** Recovers the address, in lower case, from an EIP-191 signature (personal_sign); undefined where it is invalid. */
export const recoverSigner = (message: Uint8Array, signature: string): string | undefined =>
  recoverAddress(personalHash(message), signature);

/** The signed hash of a message: EIP-191 version 0x45. */
export function personalHash(message: Uint8Array): Uint8Array {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`, 'latin1');
  return keccak_256(Buffer.concat([prefix, message]));
}
