import { type AuthorityCertificate, mayIssue, readCertificate, wasValidAt } from './certificate.ts';
import { CHAIN_LENGTH_MAX } from './limits.ts';

/** Reads certificates, and leaves out what cannot be read. */
export function readCertificates(ders: readonly Uint8Array[]): AuthorityCertificate[] {
  return ders.flatMap((der) => {
    try {
      return [readCertificate(Buffer.from(der.buffer, der.byteOffset, der.byteLength))];
    } catch {
      return [];
    }
  });
}

/**
 * Whether a path of certificates leads from the signer of a stamp to one of the trust list. Every certificate has to be valid at the
 * time of the stamp. Revocation is not looked up, since nothing here uses the network. RFC 5280, 6.1, without names and policies.
 * @param others certificates of the token: the way to the list, and no reason to trust
 */
export function isTrusted(
  signer: AuthorityCertificate,
  {
    others,
    trust,
    time,
  }: {
    readonly others: readonly AuthorityCertificate[];
    readonly trust: readonly AuthorityCertificate[];
    readonly time: number;
  },
): boolean {
  const isListed = ({ der }: AuthorityCertificate) => trust.some((listed) => listed.der.equals(der));
  const seen = new Set<AuthorityCertificate>();
  let reached = [signer];
  for (let below = 0; below < CHAIN_LENGTH_MAX && reached.length > 0; below += 1) {
    if (reached.some(isListed)) return true;
    reached = reached.flatMap((subject) => issuersOf(subject, below));
  }
  return false;

  function issuersOf(subject: AuthorityCertificate, below: number): AuthorityCertificate[] {
    const issuers = [...trust, ...others].filter(
      (issuer) =>
        !seen.has(issuer) &&
        mayIssue(issuer, below) &&
        wasValidAt(issuer, time) &&
        subject.x509.checkIssued(issuer.x509) &&
        (!issuer.isWeak || isListed(issuer)) &&
        subject.x509.verify(issuer.x509.publicKey),
    );
    for (const issuer of issuers) seen.add(issuer);
    return issuers;
  }
}
