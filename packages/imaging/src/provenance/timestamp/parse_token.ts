import { ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import { TSTInfo } from '@peculiar/asn1-tsp';
import { derElements, derInside, malformed } from './der.ts';
import { TOKEN_BYTES_MAX, TOKEN_CERTIFICATES_MAX } from './limits.ts';
import { TimeStampRefusal } from './refusal.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const SEQUENCE = 0x30;
const CONTEXT_0 = 0xa0;
const SET = 0x31;

/** A token of RFC 3161, taken apart and not yet checked. */
export interface ParsedToken {
  readonly info: TSTInfo;
  /** The signed content: DER of `info`. */
  readonly content: Buffer;
  readonly signer: SignerInfo;
  /** DER of the signed attributes as a SET, which is what the signature is over (RFC 5652, 5.4). */
  readonly signedAttributes: Buffer;
  /** DER, in the order of the token. */
  readonly certificates: readonly Buffer[];
}

/** @throws TimeStampRefusal for bytes that are not a token with one signer, or too many of them */
export function parseToken(token: Uint8Array): ParsedToken {
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
 * What hashes and signatures are over, as it was sent: ContentInfo { contentType, [0] { SignedData { version, digestAlgorithms,
 * encapContentInfo, [0] certificates, [1] revocations, SET { SignerInfo { …, [0] signed attributes, … } } } } }.
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
