import { createRequire } from 'node:module';
import { keccak_256 } from '@noble/hashes/sha3.js';

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

type Curve = typeof import('@noble/curves/secp256k1.js')['secp256k1'];
let curve: Curve | undefined;

/**
 * Recovers the address, in lower case, from a signature of a 32-byte digest; undefined where it is invalid. Takes r, s and v as 65
 * bytes in hex, v as 27/28 or 0/1. The upper half of s is refused (EIP-2): every signature has a second valid form there, and one
 * proof must not count as two.
 */
export function recoverAddress(digest: Uint8Array, signature: string): string | undefined {
  if (!SIGNATURE.test(signature)) return undefined;
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const recovery = bytes[64]! >= 27 ? bytes[64]! - 27 : bytes[64]!;
  if (recovery > 1) return undefined;
  try {
    const parsed = loadCurve().Signature.fromBytes(bytes.subarray(0, 64), 'compact').addRecoveryBit(recovery);
    if (parsed.hasHighS()) return undefined;
    const publicKey = parsed.recoverPublicKey(digest).toBytes(false);
    return addressOf(publicKey);
  } catch {
    // r or s is out of range, or no curve point has that r.
    return undefined;
  }
}

/** @param publicKey uncompressed, 65 bytes */
const addressOf = (publicKey: Uint8Array): string =>
  `0x${Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex')}`;

/** A new private key of 32 bytes, and the address of its account in lower case. */
export function newPrivateKey(): { privateKey: Uint8Array; address: string } {
  const privateKey = loadCurve().utils.randomSecretKey();
  return { privateKey, address: addressOf(loadCurve().getPublicKey(privateKey, false)) };
}

/** Signs 32-byte digests as the account of this key: r, s and v (27 or 28) in hex. @param privateKey 32 bytes */
export const createAccount = (privateKey: Uint8Array) => ({
  address: addressOf(loadCurve().getPublicKey(privateKey, false)),
  sign(digest: Uint8Array): string {
    const options = { prehash: false, format: 'recovered' } as const;
    const [recovery, ...signature] = loadCurve().sign(digest, privateKey, options);
    return `0x${Buffer.from([...signature, 27 + recovery!]).toString('hex')}`;
  },
});

/** Loaded with the first signature: the curve takes 4 MB, which servers without signed requests save. */
function loadCurve(): Curve {
  curve ??= (createRequire(import.meta.url)('@noble/curves/secp256k1.js') as { secp256k1: Curve }).secp256k1;
  return curve;
}

/** Recovers the address, in lower case, from an EIP-191 signature (personal_sign); undefined where it is invalid. */
export const recoverSigner = (message: Uint8Array, signature: string): string | undefined =>
  recoverAddress(personalHash(message), signature);

/** The signed hash of a message: EIP-191 version 0x45. */
export function personalHash(message: Uint8Array): Uint8Array {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`, 'latin1');
  return keccak_256(Buffer.concat([prefix, message]));
}

/** The mixed-case form of EIP-55, which EIP-4361 requires in a message. @param wallet lower case */
export function checksumAddress(wallet: string): string {
  const digits = wallet.slice(2);
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'latin1'))).toString('hex');
  return `0x${[...digits].map((digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}
