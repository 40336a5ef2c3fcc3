import { keccak_256 } from '@noble/hashes/sha3.js';
import { recoverAddress } from './recover_address.ts';

/** The address, lower case, whose key signed these bytes by EIP-191 (personal_sign); undefined where there is none. */
export const recoverSigner = (message: Uint8Array, signature: string): string | undefined =>
  recoverAddress(personalHash(message), signature);

/** What is signed of a message: EIP-191 version 0x45. */
export function personalHash(message: Uint8Array): Uint8Array {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`, 'latin1');
  return keccak_256(Buffer.concat([prefix, message]));
}
