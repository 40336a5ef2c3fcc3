/** Private keys (secp256k1) in the browser: wallet address and message signatures. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { getPublicKey, signAsync, utils } from '@noble/secp256k1';

/** 32 bytes. */
export const newPrivateKey = (): Uint8Array<ArrayBuffer> =>
  utils.randomSecretKey() as Uint8Array<ArrayBuffer>;

/** The address of the account, in lower case. */
export const addressOf = (privateKey: Uint8Array): string =>
  hexOf(keccak_256(getPublicKey(privateKey, false).subarray(1)).subarray(12));

/** An EIP-191 signature of a text, as returned by `personal_sign`. */
export async function signWithKey(privateKey: Uint8Array, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${bytes.length}`);
  const digest = keccak_256(Uint8Array.of(...prefix, ...bytes));
  const signed = await signAsync(digest, privateKey, { prehash: false, format: 'recovered' });
  // The library puts the recovery bit first; Ethereum wants it last, plus 27.
  return hexOf(Uint8Array.of(...signed.subarray(1), 27 + signed[0]!));
}

export const hexOf = (bytes: Uint8Array): string =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** The first private key in a text, such as a saved file. Undefined if there is none or it is out of range. */
export function privateKeyIn(text: string): Uint8Array<ArrayBuffer> | undefined {
  const hex = /(?<![0-9a-fA-F])(?:0x)?([0-9a-fA-F]{64})(?![0-9a-fA-F])/.exec(text)?.[1];
  const bytes = Uint8Array.from(hex?.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return utils.isValidSecretKey(bytes) ? bytes : undefined;
}
