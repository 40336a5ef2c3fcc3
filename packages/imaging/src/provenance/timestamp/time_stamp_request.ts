import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, TimeStampReq } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';

const SHA256 = '2.16.840.1.101.3.4.2.1';

/**
 * A request for a time stamp with the certificates of the authority (RFC 3161, 2.4.1), as DER.
 * @param digest SHA-256 of the message: the authority never sees the message
 * @param nonce unguessable, so that an old response cannot be replayed
 * @param policy object identifier of the policy wanted; absent: the one of the authority
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

/** The shortest two's complement of the bytes as a number that is not negative: DER knows no other. */
export function positiveInteger(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const significant = Buffer.from(start < 0 ? [0] : bytes.subarray(start));
  return significant[0]! < 0x80 ? significant : Buffer.concat([Buffer.of(0), significant]);
}
