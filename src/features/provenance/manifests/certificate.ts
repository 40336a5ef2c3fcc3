import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

export interface ManifestCertificate {
  /** DER, the signer's first. */
  readonly chain: readonly Uint8Array[];
  readonly key: KeyObject;
  readonly algorithm: 'es256' | 'ed25519';
}

/**
 * What C2PA manifests are signed with; nothing where neither is set.
 * @param certificates PEM, the signer's first, then whoever issued it
 * @param key PKCS#8 as PEM
 * @throws Error that says what to set
 */
export function manifestCertificate(
  certificates: string | undefined,
  key: string | undefined,
): ManifestCertificate | undefined {
  if (certificates === undefined && key === undefined) return undefined;
  if (certificates === undefined || key === undefined) {
    throw new Error('C2PA_CERTIFICATE and C2PA_KEY belong together: set both, or neither.');
  }
  const chain = [...certificates.matchAll(PEM)].map(([, body]) => Buffer.from(stripPem(body!), 'base64'));
  const privateKey = keyIn(key);
  const algorithm = privateKey && algorithmOf(privateKey);
  if (!privateKey || !algorithm) {
    throw new Error('C2PA_KEY holds no private key of P-256 or Ed25519 as PEM (PKCS#8).');
  }
  if (!fits(chain[0], privateKey)) {
    throw new Error('C2PA_CERTIFICATE does not begin with the certificate of C2PA_KEY as PEM.');
  }
  return { chain, key: privateKey, algorithm };
}

const PEM = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;
/** Line ends may have been lost on the way, or written as \n. */
const stripPem = (text: string): string => text.replace(/-----[A-Z ]+-----/g, '').replace(/\\n|\s/g, '');

function keyIn(text: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(stripPem(text), 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'ed25519') return 'ed25519';
  return type === 'ec' && details?.namedCurve === 'prime256v1' ? 'es256' : undefined;
}

function fits(certificate: Uint8Array | undefined, key: KeyObject): boolean {
  try {
    return certificate !== undefined && new X509Certificate(certificate).checkPrivateKey(key);
  } catch {
    return false;
  }
}
