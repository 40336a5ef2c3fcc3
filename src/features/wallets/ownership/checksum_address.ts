import { keccak_256 } from '@noble/hashes/sha3.js';

/** The mixed-case form of EIP-55, which EIP-4361 requires in a message. @param wallet lower case */
export function checksumAddress(wallet: string): string {
  const digits = wallet.slice(2);
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'latin1'))).toString('hex');
  return `0x${[...digits].map((digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}
