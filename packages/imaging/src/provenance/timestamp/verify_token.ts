import { constants, createHash, type KeyObject, verify } from 'node:crypto';
import { Attribute } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import type { TSTInfo } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import {
  type AuthorityCertificate,
  authorityName,
  isForTimeStamps,
  readCertificate,
  wasValidAt,
} from './certificate.ts';
import { derElements, derInside, malformed } from './der.ts';
import { isTrusted } from './is_trusted.ts';
import { CLOCK_TOLERANCE_MS } from './limits.ts';
import { type ParsedToken, parseToken } from './parse_token.ts';
import { TimeStampRefusal } from './refusal.ts';
import type { TimeStampResult } from './result.ts';
import { positiveInteger } from './time_stamp_request.ts';

/** What a token is checked against. */
export interface TokenCheck {
  /** What the stamp has to be made for. */
  readonly message: Uint8Array;
  /** Certificates the operator trusts, as DER; empty where no trust list is configured. */
  readonly trust: readonly Uint8Array[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What the response to a request of ours has to repeat. */
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
  /** Absent: the hash algorithm of the signer. null: the scheme hashes by itself. */
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
/** ESSCertID (RFC 2634) and ESSCertIDv2 (RFC 5035): the hash of the certificate that signed. */
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

/**
 * Checks a time-stamp token (RFC 3161, RFC 5816) for a message. Never throws: a token that cannot be read is `invalid`, with the
 * reason. The certificates count as of the time of the stamp; whether one was revoked is not looked up.
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
 * Checks a token that was just requested: also its nonce, its policy, and that the clock of the authority agrees with ours.
 * @throws TimeStampRefusal saying what is wrong with it
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

/** Whatever the libraries throw for what a token holds is a refusal. */
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

/** The value of each signed attribute, as DER; one that occurs twice or has several values is refused. */
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

/** RFC 5652, 11.1 and 11.2: the signature is over the attributes, which name type and hash of the content. */
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

/** The certificate whose hash the signed attributes name: it cannot be exchanged for another one of the same key or name. */
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
  if (!isSigned) throw new TimeStampRefusal('The signature of the time stamp does not hold.');
}
