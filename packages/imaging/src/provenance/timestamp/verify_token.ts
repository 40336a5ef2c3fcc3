import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { Attribute, ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import { TSTInfo } from '@peculiar/asn1-tsp';
import {
  AlgorithmIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';
import { derElements, derInside, malformed } from './der.ts';
import {
  AUTHORITY_CHARACTERS_MAX,
  CHAIN_LENGTH_MAX,
  CLOCK_TOLERANCE_MS,
  TOKEN_BYTES_MAX,
  TOKEN_CERTIFICATES_MAX,
} from './limits.ts';
import { TimeStampRefusal } from './refusal.ts';
import type { TimeStampResult } from './result.ts';
import { positiveInteger } from './time_stamp_request.ts';

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const CERTIFICATE_POLICIES = '2.5.29.32';
const UNDERSTOOD = new Set([BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, CERTIFICATE_POLICIES]);
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const ANY_USAGE = '2.5.29.37.0';
/** Signatures with MD5 and SHA-1, for RSA, DSA and ECDSA. */
const WEAK_SIGNATURES = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10040.4.3',
  '1.2.840.10045.4.1',
]);
const RSA_BITS_MIN = 2048;

/** Properties of a certificate for path validation (RFC 5280). */
interface AuthorityCertificate {
  readonly der: Buffer;
  readonly x509: X509Certificate;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  /** Maximum number of CA certificates below it; undefined: unlimited. */
  readonly pathLengthMax?: number | undefined;
  readonly keyUsage: number | undefined;
  readonly extendedUsages: readonly string[] | undefined;
  readonly isExtendedUsageCritical: boolean;
  /** Whether it has an unknown critical extension. */
  readonly hasUnknownCritical: boolean;
  readonly isWeak: boolean;
}

/** @throws Error from the libraries for invalid bytes */
function readCertificate(der: Buffer): AuthorityCertificate {
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

/** Whether the certificate was valid at a time, in milliseconds since 1970. */
const wasValidAt = ({ notBefore, notAfter }: AuthorityCertificate, time: number): boolean =>
  notBefore <= time && time <= notAfter;

/**
 * Whether the certificate is only for signing time stamps: RFC 3161, 2.3, and the profile of C2PA 2.2, 14.5.1, without which C2PA readers reject the
 * whole manifest.
 */
const isForTimeStamps = (certificate: AuthorityCertificate): boolean =>
  !certificate.isAuthority &&
  !certificate.hasUnknownCritical &&
  certificate.isExtendedUsageCritical &&
  certificate.extendedUsages?.length === 1 &&
  certificate.extendedUsages[0] === TIME_STAMPING &&
  hasUsage(certificate, KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation);

/** Whether it may issue certificates of time-stamping authorities, with `below` CA certificates between. */
const mayIssue = (certificate: AuthorityCertificate, below: number): boolean =>
  certificate.isAuthority &&
  !certificate.hasUnknownCritical &&
  (certificate.pathLengthMax ?? below) >= below &&
  (certificate.keyUsage === undefined || hasUsage(certificate, KeyUsageFlags.keyCertSign)) &&
  (certificate.extendedUsages?.some((usage) => usage === TIME_STAMPING || usage === ANY_USAGE) ?? true);

const hasUsage = ({ keyUsage = 0 }: AuthorityCertificate, flags: number): boolean => (keyUsage & flags) !== 0;

/** The common name of the subject, else its organisation, else null. */
function authorityName({ x509 }: AuthorityCertificate): string | null {
  const lines = x509.subject.split('\n');
  const value = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  return (value('CN') ?? value('O'))?.slice(0, AUTHORITY_CHARACTERS_MAX) ?? null;
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const SEQUENCE = 0x30;
const CONTEXT_0 = 0xa0;
const SET = 0x31;

/** A parsed, unverified token of RFC 3161. */
interface ParsedToken {
  readonly info: TSTInfo;
  /** The signed content: DER of `info`. */
  readonly content: Buffer;
  readonly signer: SignerInfo;
  /** DER of the signed attributes as a SET, the bytes that are signed (RFC 5652, 5.4). */
  readonly signedAttributes: Buffer;
  /** DER, in the order of the token. */
  readonly certificates: readonly Buffer[];
}

/** @throws TimeStampRefusal for bytes that are not a token with one signer, or exceed the limits */
function parseToken(token: Uint8Array): ParsedToken {
  if (token.length > TOKEN_BYTES_MAX)
    throw new TimeStampRefusal(`The time stamp has more than ${TOKEN_BYTES_MAX} bytes.`);
  try {
    return parseSignedData(Buffer.from(token.buffer, token.byteOffset, token.byteLength));
  } catch (error) {
    throw error instanceof TimeStampRefusal ? error : malformed(error);
  }
}

function parseSignedData(token: Buffer): ParsedToken {
  const { contentType, content: body } = AsnConvert.parse(token, ContentInfo);
  const { encapContentInfo, signerInfos } = AsnConvert.parse(body, SignedData);
  const content = encapContentInfo.eContent?.single?.buffer;
  const [signer, ...others] = signerInfos;
  if (contentType !== SIGNED_DATA || encapContentInfo.eContentType !== TST_INFO || !content)
    throw malformed();
  if (!signer || others.length > 0) throw malformed();
  const { certificates, signedAttributes } = slicesOf(token);
  if (certificates.length > TOKEN_CERTIFICATES_MAX)
    throw new TimeStampRefusal(`The time stamp holds more than ${TOKEN_CERTIFICATES_MAX} certificates.`);
  return {
    info: AsnConvert.parse(content, TSTInfo),
    content: Buffer.from(content),
    signer,
    signedAttributes,
    certificates,
  };
}

/**
 * Slices of the original bytes for hashes and signatures: ContentInfo { contentType, [0] { SignedData { version, digestAlgorithms, encapContentInfo,
 * [0] certificates, [1] revocations, SET { SignerInfo { …, [0] signed attributes, … } } } } }.
 */
function slicesOf(token: Buffer): Pick<ParsedToken, 'certificates' | 'signedAttributes'> {
  const body = derInside(token, SEQUENCE).find(({ tag }) => tag === CONTEXT_0);
  const data = body && derInside(body.content, SEQUENCE);
  const signers = data?.at(-1);
  const signer = signers?.tag === SET ? derInside(signers.content, SEQUENCE) : [];
  const signed = signer.find(({ tag }) => tag === CONTEXT_0);
  if (!data || !signed) throw malformed();
  const signedAttributes = Buffer.from(signed.bytes);
  signedAttributes[0] = SET;
  const held = data.find(({ tag }) => tag === CONTEXT_0)?.content ?? Buffer.alloc(0);
  const certificates = derElements(held).flatMap(({ tag, bytes }) => (tag === SEQUENCE ? [bytes] : []));
  return { signedAttributes, certificates };
}

/** Expectations for the verification of a token. */
export interface TokenCheck {
  /** The message that the stamp must cover. */
  readonly message: Uint8Array;
  /** Certificates trusted by the operator, as DER; empty without a trust list. */
  readonly trust: readonly Uint8Array[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Values that the response to our request must repeat. */
export interface ExpectedAnswer {
  readonly nonce: Uint8Array;
  readonly policy?: string | undefined;
}

const DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const SHA1 = '1.3.14.3.2.26';
interface SignatureScheme {
  readonly keys: readonly (string | undefined)[];
  /** undefined: the hash algorithm of the signer. null: the scheme includes the hash. */
  readonly digest?: string | null;
  readonly isPss?: boolean;
}
const RSA = { keys: ['rsa'] };
const ECDSA = { keys: ['ec'] };
const SIGNATURES: Readonly<Record<string, SignatureScheme>> = {
  '1.2.840.113549.1.1.1': RSA,
  '1.2.840.113549.1.1.11': { ...RSA, digest: 'sha256' },
  '1.2.840.113549.1.1.12': { ...RSA, digest: 'sha384' },
  '1.2.840.113549.1.1.13': { ...RSA, digest: 'sha512' },
  '1.2.840.113549.1.1.10': { keys: ['rsa', 'rsa-pss'], isPss: true },
  '1.2.840.10045.4.3.2': { ...ECDSA, digest: 'sha256' },
  '1.2.840.10045.4.3.3': { ...ECDSA, digest: 'sha384' },
  '1.2.840.10045.4.3.4': { ...ECDSA, digest: 'sha512' },
  '1.3.101.112': { keys: ['ed25519'], digest: null },
};
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
/** ESSCertID (RFC 2634) and ESSCertIDv2 (RFC 5035): the hash of the signing certificate. */
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

/**
 * Verifies a time-stamp token (RFC 3161, RFC 5816) for a message. Never throws: an unreadable token is `invalid`, with the reason. Certificates are
 * evaluated at the time of the stamp; revocation is not checked.
 */
export function verifyTimeStamp(token: Uint8Array, check: TokenCheck): TimeStampResult {
  try {
    return resultOf(verifyToken(parseToken(token), check), check);
  } catch (error) {
    return {
      time: null,
      authority: null,
      status: 'invalid',
      reason: error instanceof TimeStampRefusal ? error.message : malformed().message,
    };
  }
}

/**
 * Verifies a token that was just requested, including its nonce, its policy, and the agreement of the clocks.
 * @throws TimeStampRefusal with the reason
 */
export function verifyAnswer(
  token: Uint8Array,
  check: TokenCheck,
  { nonce, policy }: ExpectedAnswer,
): TimeStampResult {
  const parsed = parseToken(token);
  const { info } = parsed;
  if (!info.nonce || !Buffer.from(info.nonce).equals(positiveInteger(nonce)))
    throw new TimeStampRefusal('The time stamp answers another request: its nonce differs.');
  if (policy !== undefined && info.policy !== policy)
    throw new TimeStampRefusal(`The time stamp has the policy ${info.policy}, not ${policy}.`);
  const result = resultOf(verifyChecked(parsed, check), check);
  const apartMs = Math.abs(Date.parse(result.time!) - check.now);
  if (apartMs > CLOCK_TOLERANCE_MS)
    throw new TimeStampRefusal(
      `The clocks of the authority and of this server are ${Math.round(apartMs / 1000)} s apart.`,
    );
  return result;
}

interface VerifiedToken {
  readonly time: Date;
  readonly signer: AuthorityCertificate;
  /** DER of the other certificates in the token. */
  readonly others: readonly Uint8Array[];
}

/** Converts any error of the libraries to a refusal. */
function verifyChecked(parsed: ParsedToken, check: TokenCheck): VerifiedToken {
  try {
    return verifyToken(parsed, check);
  } catch (error) {
    throw error instanceof TimeStampRefusal ? error : malformed(error);
  }
}

function verifyToken(parsed: ParsedToken, { message, now }: TokenCheck): VerifiedToken {
  const { info, signer: signerInfo, certificates } = parsed;
  requireImprint(info, message);
  const digest = digestOf(signerInfo.digestAlgorithm.algorithm);
  const attributes = attributesOf(parsed);
  requireContent(parsed, attributes, digest);
  const der = signingCertificate(attributes, certificates);
  const signer = readCertificate(der);
  requireSignature(parsed, signer.x509.publicKey, digest);
  const time = info.genTime;
  if (!Number.isFinite(time.getTime())) throw malformed();
  if (!isForTimeStamps(signer))
    throw new TimeStampRefusal('The time stamp is signed with a certificate that is not for time stamps.');
  if (signer.isWeak)
    throw new TimeStampRefusal('The certificate of the time stamp uses a weak key or signature.');
  if (!wasValidAt(signer, time.getTime()))
    throw new TimeStampRefusal(
      'The certificate of the authority had expired, or was not yet valid, at the time of the stamp.',
    );
  if (time.getTime() > now + CLOCK_TOLERANCE_MS)
    throw new TimeStampRefusal('The time of the stamp is in the future by the clock of this server.');
  return { time, signer, others: certificates.filter((certificate) => certificate !== der) };
}

function resultOf({ time, signer, others }: VerifiedToken, { trust }: TokenCheck): TimeStampResult {
  const sound = { time: time.toISOString(), authority: authorityName(signer) };
  if (trust.length === 0)
    return {
      ...sound,
      status: 'untrusted',
      reason: 'The time stamp is sound, but its authority was not checked against a trust list.',
    };
  return isTrusted(signer, { others, trust, time: time.getTime() })
    ? { ...sound, status: 'trusted' }
    : {
        ...sound,
        status: 'untrusted',
        reason: 'The time stamp is sound, but its authority is not on the trust list of this server.',
      };
}

function digestOf(algorithm: string): string {
  const digest = DIGESTS[algorithm];
  if (digest) return digest;
  throw new TimeStampRefusal(
    algorithm === SHA1
      ? 'The time stamp uses SHA-1, which is too weak.'
      : 'The time stamp uses a hash algorithm that is weak or unknown.',
  );
}

function requireImprint({ messageImprint, version }: TSTInfo, message: Uint8Array): void {
  if (version !== 1) throw malformed();
  const digest = digestOf(messageImprint.hashAlgorithm.algorithm);
  const expected = createHash(digest).update(message).digest();
  if (!expected.equals(Buffer.from(messageImprint.hashedMessage.buffer)))
    throw new TimeStampRefusal('The time stamp was made for another message.');
}

/** The value of each signed attribute, as DER; rejects duplicates and multiple values. */
function attributesOf({ signedAttributes }: ParsedToken): ReadonlyMap<string, Buffer> {
  const values = new Map<string, Buffer>();
  for (const { bytes } of derInside(signedAttributes, DER_SET)) {
    const { attrType, attrValues } = AsnConvert.parse(bytes, Attribute);
    if (values.has(attrType) || attrValues.length !== 1) throw malformed();
    values.set(attrType, Buffer.from(attrValues[0]!));
  }
  return values;
}

const DER_SET = 0x31;
const DER_OCTETS = 0x04;
const DER_SEQUENCE = 0x30;
/** `TST_INFO` as DER. */
const TST_INFO_DER = Buffer.from('060b2a864886f70d0109100104', 'hex');

/** RFC 5652, 11.1 and 11.2: the signature covers the attributes, which state type and hash of the content. */
function requireContent(
  { content }: ParsedToken,
  attributes: ReadonlyMap<string, Buffer>,
  digest: string,
): void {
  const [hash] = derElements(attributes.get(MESSAGE_DIGEST) ?? Buffer.alloc(0));
  if (!attributes.get(CONTENT_TYPE)?.equals(TST_INFO_DER) || hash?.tag !== DER_OCTETS) throw malformed();
  if (!hash.content.equals(createHash(digest).update(content).digest()))
    throw new TimeStampRefusal('The content of the time stamp was changed after it was signed.');
}

/** The certificate whose hash is among the signed attributes: it cannot be replaced by another one with the same key or name. */
function signingCertificate(
  attributes: ReadonlyMap<string, Buffer>,
  certificates: readonly Buffer[],
): Buffer {
  const second = attributes.get(SIGNING_CERTIFICATE_V2);
  const value = second ?? attributes.get(SIGNING_CERTIFICATE);
  const [ids] = value ? derInside(value, DER_SEQUENCE) : [];
  const [id] = ids ? derInside(ids.bytes, DER_SEQUENCE) : [];
  const parts = id ? derInside(id.bytes, DER_SEQUENCE) : [];
  const hash = parts.find(({ tag }) => tag === DER_OCTETS);
  if (!hash) throw malformed();
  const named = parts[0]!.tag === DER_SEQUENCE;
  const algorithm = named
    ? digestOf(AsnConvert.parse(parts[0]!.bytes, AlgorithmIdentifier).algorithm)
    : 'sha256';
  const digest = second ? algorithm : 'sha1';
  const found = certificates.find((der) => createHash(digest).update(der).digest().equals(hash.content));
  if (!found) throw new TimeStampRefusal('The time stamp does not hold the certificate it was signed with.');
  return found;
}

function requireSignature({ signer, signedAttributes }: ParsedToken, key: KeyObject, hash: string): void {
  const scheme = SIGNATURES[signer.signatureAlgorithm.algorithm];
  if (!scheme)
    throw new TimeStampRefusal('The time stamp is signed with an algorithm that is weak or unknown.');
  const { keys, digest = hash, isPss = false } = scheme;
  const options = isPss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING } : { key };
  const isSigned =
    keys.includes(key.asymmetricKeyType) &&
    verify(digest, signedAttributes, options, Buffer.from(signer.signature.buffer));
  if (!isSigned) throw new TimeStampRefusal('The signature of the time stamp is invalid.');
}

/** Context of a signer's certificate, as DER. */
interface Surroundings {
  /** Certificates in the token: intermediate certificates, not trusted. */
  readonly others: readonly Uint8Array[];
  readonly trust: readonly Uint8Array[];
  /** Time of the stamp, in milliseconds since 1970. */
  readonly time: number;
}

/** A certificate with only its names parsed: fully parsing a long trust list would take 1 ms per certificate. */
interface Candidate {
  readonly x509: X509Certificate;
  readonly isListed: boolean;
}

/**
 * Whether a certificate path leads from the signer of a stamp to the trust list. Each certificate must be valid at the time of the stamp. Revocation
 * is not checked, as verification is offline. RFC 5280, 6.1, without names and policies.
 */
function isTrusted(signer: AuthorityCertificate, { others, trust, time }: Surroundings): boolean {
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

/** Empty for an unreadable certificate. */
function candidateOf(der: Uint8Array, isListed: boolean): Candidate[] {
  try {
    return [{ x509: new X509Certificate(der), isListed }];
  } catch {
    return [];
  }
}

/** @param below number of CA certificates between this one and the signer */
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
