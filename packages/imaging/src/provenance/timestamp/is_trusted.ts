import { X509Certificate } from 'node:crypto';
import { type AuthorityCertificate, mayIssue, readCertificate, wasValidAt } from './certificate.ts';
import { CHAIN_LENGTH_MAX } from './limits.ts';

/** Certificates around a signer, as DER. */
interface Surroundings {
  /** Those of the token: the way to the list, and no reason to trust. */
  readonly others: readonly Uint8Array[];
  readonly trust: readonly Uint8Array[];
  /** Of the stamp, in milliseconds since 1970. */
  readonly time: number;
}

/** A certificate of which only the names were read: reading all of a long trust list would take 1 ms for each. */
interface Candidate {
  readonly x509: X509Certificate;
  readonly isListed: boolean;
}

/**
 * Whether a path of certificates leads from the signer of a stamp to one of the trust list. Every certificate has to be valid at the
 * time of the stamp. Revocation is not looked up, since nothing here uses the network. RFC 5280, 6.1, without names and policies.
 */
export function isTrusted(signer: AuthorityCertificate, { others, trust, time }: Surroundings): boolean {
  if (trust.some((der) => signer.der.equals(der))) return true;
  const candidates = [
    ...trust.flatMap((der) => candidateOf(der, true)),
    ...others.flatMap((der) => candidateOf(der, false)),
  ];
  const seen = new Set<Candidate>();
  let reached = [signer];
  for (let below = 0; below < CHAIN_LENGTH_MAX && reached.length > 0; below += 1) {
    const next: AuthorityCertificate[] = [];
    for (const subject of reached) {
      for (const candidate of candidates) {
        if (seen.has(candidate) || !subject.x509.checkIssued(candidate.x509)) continue;
        const issuer = issuerOf(subject, candidate, { below, time });
        if (!issuer) continue;
        if (candidate.isListed) return true;
        seen.add(candidate);
        next.push(issuer);
      }
    }
    reached = next;
  }
  return false;
}

/** Nothing for a certificate that cannot be read. */
function candidateOf(der: Uint8Array, isListed: boolean): Candidate[] {
  try {
    return [{ x509: new X509Certificate(der), isListed }];
  } catch {
    return [];
  }
}

/** @param below certificates of authorities between this one and the signer of the stamp */
function issuerOf(
  { x509: subject }: AuthorityCertificate,
  { x509, isListed }: Candidate,
  { below, time }: { below: number; time: number },
): AuthorityCertificate | undefined {
  try {
    const issuer = readCertificate(x509.raw);
    const isFit = mayIssue(issuer, below) && wasValidAt(issuer, time) && (isListed || !issuer.isWeak);
    return isFit && subject.verify(x509.publicKey) ? issuer : undefined;
  } catch {
    return undefined;
  }
}
