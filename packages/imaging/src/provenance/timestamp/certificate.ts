import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';
import { AUTHORITY_CHARACTERS_MAX } from './limits.ts';

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const CERTIFICATE_POLICIES = '2.5.29.32';
const UNDERSTOOD = new Set([BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, CERTIFICATE_POLICIES]);
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const ANY_USAGE = '2.5.29.37.0';
/** Signatures with MD5 and SHA-1, of RSA, DSA and ECDSA. */
const WEAK_SIGNATURES = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10040.4.3',
  '1.2.840.10045.4.1',
]);
const RSA_BITS_MIN = 2048;

/** What the path of a time stamp needs to know about a certificate (RFC 5280). */
export interface AuthorityCertificate {
  readonly der: Buffer;
  readonly x509: X509Certificate;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  /** Most certificates of authorities that may follow below it; absent: any number. */
  readonly pathLengthMax?: number | undefined;
  readonly keyUsage: number | undefined;
  readonly extendedUsages: readonly string[] | undefined;
  readonly isExtendedUsageCritical: boolean;
  /** An extension that has to be understood and is not. */
  readonly hasUnknownCritical: boolean;
  readonly isWeak: boolean;
}

/** @throws Error of the libraries for bytes that are not a certificate */
export function readCertificate(der: Buffer): AuthorityCertificate {
  const x509 = new X509Certificate(der);
  const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(der, Certificate);
  const { extensions = [], validity } = tbsCertificate;
  const find = (id: string) => extensions.find(({ extnID }) => extnID === id);
  const basic = find(BASIC_CONSTRAINTS);
  const usage = find(KEY_USAGE);
  const extended = find(EXTENDED_KEY_USAGE);
  const constraints = basic && AsnConvert.parse(basic.extnValue, BasicConstraints);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = x509.publicKey;
  return {
    der,
    x509,
    notBefore: validity.notBefore.getTime().getTime(),
    notAfter: validity.notAfter.getTime().getTime(),
    isAuthority: constraints?.cA === true,
    pathLengthMax: constraints?.pathLenConstraint,
    keyUsage: usage && AsnConvert.parse(usage.extnValue, KeyUsage).toNumber(),
    extendedUsages: extended && [...AsnConvert.parse(extended.extnValue, ExtendedKeyUsage)],
    isExtendedUsageCritical: extended?.critical === true,
    hasUnknownCritical: extensions.some(({ critical, extnID }) => critical && !UNDERSTOOD.has(extnID)),
    isWeak:
      WEAK_SIGNATURES.has(signatureAlgorithm.algorithm) ||
      (type === 'rsa' && (details?.modulusLength ?? 0) < RSA_BITS_MIN),
  };
}

/** Whether it was valid at that time, in milliseconds since 1970. */
export const wasValidAt = ({ notBefore, notAfter }: AuthorityCertificate, time: number): boolean =>
  notBefore <= time && time <= notAfter;

/**
 * Whether it is made for signing time stamps and nothing else: RFC 3161, 2.3, and the profile of C2PA 2.2, 14.5.1, without which
 * readers of C2PA refuse the whole manifest.
 */
export const isForTimeStamps = (certificate: AuthorityCertificate): boolean =>
  !certificate.isAuthority &&
  !certificate.hasUnknownCritical &&
  certificate.isExtendedUsageCritical &&
  certificate.extendedUsages?.length === 1 &&
  certificate.extendedUsages[0] === TIME_STAMPING &&
  hasUsage(certificate, KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation);

/** Whether it may issue certificates of time-stamping authorities, with so many certificates of authorities below it. */
export const mayIssue = (certificate: AuthorityCertificate, below: number): boolean =>
  certificate.isAuthority &&
  !certificate.hasUnknownCritical &&
  (certificate.pathLengthMax ?? below) >= below &&
  (certificate.keyUsage === undefined || hasUsage(certificate, KeyUsageFlags.keyCertSign)) &&
  (certificate.extendedUsages?.some((usage) => usage === TIME_STAMPING || usage === ANY_USAGE) ?? true);

const hasUsage = ({ keyUsage = 0 }: AuthorityCertificate, flags: number): boolean => (keyUsage & flags) !== 0;

/** The common name of the subject, else its organisation, else null. */
export function authorityName({ x509 }: AuthorityCertificate): string | null {
  const lines = x509.subject.split('\n');
  const value = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  return (value('CN') ?? value('O'))?.slice(0, AUTHORITY_CHARACTERS_MAX) ?? null;
}
