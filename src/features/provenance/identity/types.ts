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
  /** Public address of this server. */
  readonly issuer: string;
  readonly key: PublicKey;
  /** sha256 (hex) of the certificate that signs C2PA manifests, if any. */
  readonly certificateSha256: string | undefined;
  readonly domains: readonly DomainVoucher[];
  readonly wallet: WalletVoucher | undefined;
  /** The line that a domain publishes and the message that a wallet signs to vouch for the key. */
  readonly line: string;
  readonly message: string;
  /** Every key that has signed on this server, newest first. */
  readonly keys: readonly KnownKey[];
  /** Compact JWS, signed by the key itself, over issuer, certificate and vouchers. */
  readonly jws: string;
}

export interface DomainVoucher {
  readonly domain: string;
  /** Name of a TXT record with the line. */
  readonly dnsName: string;
  /** Address of a text file that contains the line. One of both is sufficient. */
  readonly url: string;
}

export interface WalletVoucher {
  /** Lower case. */
  readonly wallet: string;
  /** 65 bytes in hex: EIP-191 signature of the message. */
  readonly signature: string;
}
