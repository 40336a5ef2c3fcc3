import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, TimeStampReq } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';

const SHA256 = '2.16.840.1.101.3.4.2.1';

/**
 * Encodes a request for a time stamp with the authority's certificates (RFC 3161, 2.4.1), as DER.
 * @param digest SHA-256 of the message: the authority never receives the message
 * @param nonce unpredictable, which prevents replay of old responses
 * @param policy object identifier of the requested policy. Default: the authority's
 */
export function timeStampRequest({
  digest,
  nonce,
  policy,
}: {
  readonly digest: Uint8Array;
  readonly nonce: Uint8Array;
  readonly policy?: string | undefined;
}): Buffer {
  const request = new TimeStampReq({
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256, parameters: null }),
      hashedMessage: new OctetString(digest),
    }),
    nonce: new Uint8Array(positiveInteger(nonce)).buffer,
    certReq: true,
    ...(policy !== undefined && { reqPolicy: policy }),
  });
  return Buffer.from(AsnConvert.serialize(request));
}

/** The shortest two's complement encoding of the bytes as a non-negative number, as DER requires. */
export function positiveInteger(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const significant = Buffer.from(start < 0 ? [0] : bytes.subarray(start));
  return significant[0]! < 0x80 ? significant : Buffer.concat([Buffer.of(0), significant]);
}
