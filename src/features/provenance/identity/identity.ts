import type { Signer } from '../../../core/keys/signer.ts';
import type { Receipts } from '../../billing/receipts/types.ts';
import type { Identity, WalletVoucher } from './types.ts';

interface Parts {
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly signer: Signer;
  readonly publicUrl: string;
  readonly domains: readonly string[];
  readonly wallet: WalletVoucher | undefined;
  readonly certificateSha256: string | undefined;
  readonly clock?: () => Date;
}

export function createIdentity(parts: Parts): Identity {
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
      ...{ certificateSha256, domains, wallet },
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

/** What a wallet signs; it names the key and the server, so that it vouches for nothing else. */
export const vouchingMessage = (kid: string, publicUrl: string): string =>
  `I vouch that the key ${kid} signs for ${publicUrl}.`;
