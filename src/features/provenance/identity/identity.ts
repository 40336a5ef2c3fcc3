import { createHash } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import type { PublicKey, Signer } from '../../../core/keys/signer.ts';
import type { KnownKey, Receipts } from '../../billing/receipts/types.ts';
import { recoverSigner } from '../../wallets/ownership/recover_address.ts';
import { manifestCertificateOf } from '../manifests/manifests.ts';

interface IdentityDeps {
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly signer: Signer;
  readonly publicUrl: string;
  readonly domains: readonly string[];
  readonly wallet: WalletVoucher | undefined;
  readonly certificateSha256: string | undefined;
  readonly clock?: () => Date;
}

function createIdentity(parts: IdentityDeps): Identity {
  const { receipts, signer, publicUrl, wallet, certificateSha256, clock = () => new Date() } = parts;
  const { kid } = signer.publicKey;
  const domains = parts.domains.map((domain) => ({
    domain,
    dnsName: `_atelier-key.${domain}`,
    url: `https://${domain}/.well-known/atelier-keys.txt`,
  }));
  return {
    read: async () => ({
      issuer: publicUrl,
      key: signer.publicKey,
      certificateSha256,
      domains,
      wallet,
      line: vouchingLine(kid, publicUrl),
      message: vouchingMessage(kid, publicUrl),
      keys: await receipts.keys(),
      jws: signer.sign('identity+jwt', {
        iss: publicUrl,
        iat: Math.floor(clock().getTime() / 1000),
        sub: kid,
        ...(certificateSha256 !== undefined && { c2pa_certificate_sha256: certificateSha256 }),
        domains: parts.domains,
        ...(wallet && { wallet: wallet.wallet }),
      }),
    }),
  };
}

const vouchingLine = (kid: string, publicUrl: string): string => `atelier-key=${kid} url=${publicUrl}`;

/** The message a wallet signs. It names key and server, so that the signature cannot be reused for another one. */
const vouchingMessage = (kid: string, publicUrl: string): string =>
  `I vouch that the key ${kid} signs for ${publicUrl}.`;

interface Parts {
  readonly database: Database;
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly signer: Signer;
  readonly publicUrl: string;
}

/**
 * Reads and verifies the vouchers in the settings.
 * @throws Error that names the setting to change
 */
export async function openIdentity(config: Config, parts: Parts): Promise<Identity> {
  const { VOUCHING_DOMAINS: domains } = config;
  const certificate = manifestCertificateOf(config)?.chain[0];
  const certificateSha256 = certificate && createHash('sha256').update(certificate).digest('hex');
  if (certificateSha256 !== undefined) await logCertificate(parts.database, certificateSha256);
  return createIdentity({ ...parts, domains, certificateSha256, wallet: voucherOf(config, parts) });
}

/**
 * The vouching wallet and its signature.
 * @throws Error if only one of them is set
 */
export function voucherSettings({
  VOUCHING_WALLET: wallet,
  VOUCHING_SIGNATURE: signature,
}: Config): WalletVoucher | undefined {
  if (wallet === undefined && signature === undefined) return undefined;
  if (wallet === undefined || signature === undefined)
    throw new Error('Set both VOUCHING_WALLET and VOUCHING_SIGNATURE, or neither.');
  return { wallet: wallet.toLowerCase(), signature };
}

function voucherOf(
  config: Config,
  { signer, publicUrl }: Pick<Parts, 'signer' | 'publicUrl'>,
): WalletVoucher | undefined {
  const voucher = voucherSettings(config);
  if (voucher === undefined) return undefined;
  const { wallet, signature } = voucher;
  const message = vouchingMessage(signer.publicKey.kid, publicUrl);
  if (recoverSigner(Buffer.from(message), signature) === wallet) return voucher;
  throw new Error(
    `VOUCHING_SIGNATURE is not a signature of VOUCHING_WALLET over the signing key of this server. Have the wallet sign (EIP-191, personal_sign) this text, without the quotes: "${message}"`,
  );
}

/**
 * Queues a log entry at each start. The log drops duplicates, so it contains the entry once.
 * @param sha256 hex
 */
async function logCertificate(database: Queryable, sha256: string): Promise<void> {
  await database.query('insert into log_pending (entry) values ($1)', [`c2pa_certificate:${sha256}`]);
}

/**
 * Domains and wallets of the operator that vouch for the signing key of this server, with the places where
 * readers can verify that. A voucher identifies the signer; it does not make the signed statements true.
 */
export interface Identity {
  read(): Promise<ServerIdentity>;
}

interface ServerIdentity {
  /** Public URL of this server. */
  readonly issuer: string;
  readonly key: PublicKey;
  /** sha256 (hex) of the certificate that signs C2PA manifests, if any. */
  readonly certificateSha256: string | undefined;
  readonly domains: readonly DomainVoucher[];
  readonly wallet: WalletVoucher | undefined;
  /** The line that a domain publishes, and the message that a wallet signs, to vouch for the key. */
  readonly line: string;
  readonly message: string;
  /** Every key that has signed on this server, newest first. */
  readonly keys: readonly KnownKey[];
  /** Compact JWS over issuer, certificate and vouchers, signed by the key itself. */
  readonly jws: string;
}

interface DomainVoucher {
  readonly domain: string;
  /** Name of a TXT record with the line. */
  readonly dnsName: string;
  /** URL of a text file that contains the line. Either of the two is sufficient. */
  readonly url: string;
}

interface WalletVoucher {
  /** Lower case. */
  readonly wallet: string;
  /** 65 bytes in hex: EIP-191 signature of the message. */
  readonly signature: string;
}
