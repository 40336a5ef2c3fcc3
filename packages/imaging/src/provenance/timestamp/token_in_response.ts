import { AsnConvert } from '@peculiar/asn1-schema';
import { TimeStampResp } from '@peculiar/asn1-tsp';
import { derInside, malformed } from './der.ts';
import { TOKEN_BYTES_MAX } from './limits.ts';
import { TimeStampRefusal } from './refusal.ts';

const GRANTED = 0;
const GRANTED_WITH_MODS = 1;
/** RFC 3161, 2.4.2: bits of PKIFailureInfo. */
const FAILURES: Readonly<Record<number, string>> = {
  0: 'the hash algorithm is not supported',
  2: 'the request is not permitted or supported',
  5: 'the request has the wrong format',
  14: 'its time source is not available',
  15: 'the requested policy is not supported',
  16: 'the requested extension is not supported',
  17: 'additional information is not available',
  25: 'it had a system failure',
};

/**
 * The time-stamp token in an authority's response, byte for byte. Does not check the token.
 * @throws TimeStampRefusal if the authority rejected the request, or the response does not follow RFC 3161
 */
export function tokenInResponse(response: Uint8Array): Buffer {
  const bytes = Buffer.from(response.buffer, response.byteOffset, response.byteLength);
  const { status, failInfo } = statusOf(bytes);
  if (status !== GRANTED && status !== GRANTED_WITH_MODS) {
    const bit = failInfo && Object.keys(FAILURES).find((name) => isSet(failInfo, Number(name)));
    throw new TimeStampRefusal(
      `The time-stamping authority refused: ${bit ? FAILURES[Number(bit)] : `status ${status}`}.`,
    );
  }
  const [, token] = derInside(bytes, 0x30);
  if (!token) throw noResponse();
  return token.bytes;
}

function statusOf(bytes: Buffer): { status: number; failInfo?: Uint8Array } {
  if (bytes.length > TOKEN_BYTES_MAX) throw malformed();
  try {
    const { status } = AsnConvert.parse(bytes, TimeStampResp);
    const failInfo = status.failInfo?.toASN().valueBlock.valueHexView;
    return { status: Number(status.status), ...(failInfo && { failInfo }) };
  } catch (error) {
    throw noResponse(error);
  }
}

const noResponse = (cause?: unknown): TimeStampRefusal =>
  new TimeStampRefusal('The time-stamping authority returned an invalid time-stamp response.', { cause });

/** Bits are numbered from the most significant one of the first octet. */
const isSet = (bits: Uint8Array, number: number): boolean =>
  ((bits[number >> 3] ?? 0) & (0x80 >> (number & 7))) !== 0;
