import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Token } from './networks.ts';

/** The signed content of EIP-3009. Numbers as decimal strings, `nonce` as 32 bytes in hex. */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** The EIP-712 digest of a transferWithAuthorization of this token, which is signed. */
export function authorizationDigest(token: Token, authorization: Authorization): Uint8Array {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const domain = keccak_256(
    Buffer.concat([
      DOMAIN_TYPE,
      keccak_256(Buffer.from(token.name)),
      keccak_256(Buffer.from(token.version)),
      word(token.network.slice('eip155:'.length)),
      word(token.asset),
    ]),
  );
  const message = keccak_256(
    Buffer.concat([TRANSFER_TYPE, ...[from, to, value, validAfter, validBefore, nonce].map(word)]),
  );
  return keccak_256(Buffer.concat([Buffer.from([0x19, 0x01]), domain, message]));
}

const typeHash = (text: string): Uint8Array => keccak_256(Buffer.from(text));
const DOMAIN_TYPE = typeHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const TRANSFER_TYPE = typeHash(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

/** ABI encoding of a number, an address or 32 bytes: 32 bytes, big-endian. */
const word = (value: string): Uint8Array => Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex');
