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

/**
 * The EIP-712 digest that an authorization of this token signs. Anyone may submit a "transfer", only the recipient a "receive".
 */
export function authorizationDigest(
  { name, version, network, asset }: Token,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  kind: 'Transfer' | 'Receive' = 'Transfer',
): Uint8Array {
  const domain = { name, version, network, contract: asset };
  return typedDigest(domain, AUTHORIZATIONS[kind], [from, to, value, validAfter, validBefore, nonce]);
}

interface Domain {
  readonly name: string;
  readonly version: string;
  /** CAIP-2. */
  readonly network: string;
  readonly contract: string;
}

/** EIP-712 digest of a struct whose fields are all numbers, addresses or 32 bytes. */
export function typedDigest(domain: Domain, type: Uint8Array, fields: readonly string[]): Uint8Array {
  const { name, version, network, contract } = domain;
  const separator = keccak_256(
    Buffer.concat([
      DOMAIN_TYPE,
      keccak_256(Buffer.from(name)),
      keccak_256(Buffer.from(version)),
      words(network.slice('eip155:'.length), contract),
    ]),
  );
  const message = keccak_256(Buffer.concat([type, words(...fields)]));
  return keccak_256(Buffer.concat([Buffer.from([0x19, 0x01]), separator, message]));
}

export const typeHash = (text: string): Uint8Array => keccak_256(Buffer.from(text));
const DOMAIN_TYPE = typeHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const FIELDS = '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';
const AUTHORIZATIONS = {
  Transfer: typeHash(`TransferWithAuthorization${FIELDS}`),
  Receive: typeHash(`ReceiveWithAuthorization${FIELDS}`),
};

/** ABI encoding of numbers, addresses or 32 bytes: 32 bytes each, big-endian. */
export const words = (...values: readonly string[]): Uint8Array =>
  Buffer.from(values.map((value) => BigInt(value).toString(16).padStart(64, '0')).join(''), 'hex');
