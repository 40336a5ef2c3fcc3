import type { PublicKey } from '../../../core/keys/signer.ts';
import type { KnownKey } from '../../billing/receipts/types.ts';

/**
 * The domains and wallets of the operator that vouch for the signing key of this server, and where readers can verify that. Vouching
 * identifies the signer. It does not make the signed statements true.
 */
export interface Identity {
  read(): Promise<ServerIdentity>;
}

export interface ServerIdentity {
  /** Where callers reach this server. */
  readonly issuer: string;
  readonly key: PublicKey;
  /** sha256 (hex) of the certificate C2PA manifests are signed with, where there is one. */
  readonly certificateSha256: string | undefined;
  readonly domains: readonly DomainVoucher[];
  readonly wallet: WalletVoucher | undefined;
  /** The line a domain publishes to vouch for the key, and the text a wallet signs. */
  readonly line: string;
  readonly message: string;
  /** Every key that ever signed here, newest first. */
  readonly keys: readonly KnownKey[];
  /** Compact JWS of the key itself over issuer, certificate and vouchers. */
  readonly jws: string;
}

export interface DomainVoucher {
  readonly domain: string;
  /** Name of a TXT record that holds the line. */
  readonly dnsName: string;
  /** Address of a text that has the line as one of its own; either is enough. */
  readonly url: string;
}

export interface WalletVoucher {
  /** Lower case. */
  readonly wallet: string;
  /** 65 bytes in hex, of EIP-191 over the message. */
  readonly signature: string;
}
