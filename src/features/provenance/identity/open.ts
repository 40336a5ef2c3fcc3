import { createHash } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../core/database/types.ts';
import type { Signer } from '../../../core/keys/signer.ts';
import type { Receipts } from '../../billing/receipts/types.ts';
import { recoverSigner } from '../../wallets/ownership/recover_signer.ts';
import { manifestCertificateOf } from '../manifests/open.ts';
import { createIdentity, vouchingMessage } from './identity.ts';
import { logCertificate } from './store.ts';
import type { Identity, WalletVoucher } from './types.ts';

interface Parts {
  readonly database: Database;
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly signer: Signer;
  readonly publicUrl: string;
}

/** Who vouches for the key, by the settings. @throws Error that says what to set */
export async function openIdentity(config: Config, parts: Parts): Promise<Identity> {
  const { VOUCHING_DOMAINS: domains } = config;
  const certificate = manifestCertificateOf(config)?.chain[0];
  const certificateSha256 = certificate && createHash('sha256').update(certificate).digest('hex');
  if (certificateSha256 !== undefined) await logCertificate(parts.database, certificateSha256);
  return createIdentity({ ...parts, domains, certificateSha256, wallet: voucherOf(config, parts) });
}

/** The wallet that is to vouch, and what it signed. @throws Error where one is missing */
export function voucherSettings({
  VOUCHING_WALLET: wallet,
  VOUCHING_SIGNATURE: signature,
}: Config): WalletVoucher | undefined {
  if (wallet === undefined && signature === undefined) return undefined;
  if (wallet === undefined || signature === undefined)
    throw new Error('VOUCHING_WALLET and VOUCHING_SIGNATURE belong together: set both, or neither.');
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
    `VOUCHING_SIGNATURE is not that of VOUCHING_WALLET over the key this server signs with. Have the wallet sign (EIP-191, personal_sign) this text, without the quotes: "${message}"`,
  );
}
