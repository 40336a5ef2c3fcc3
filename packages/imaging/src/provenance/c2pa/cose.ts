import { decode, Tagged } from 'cborg';

/** COSE_Sign1 (RFC 9052, 4.2) with a detached payload, as in the signature of a C2PA manifest. */
export interface CoseSignature {
  /** The encoded protected headers, as signed. */
  readonly headers: Uint8Array;
  readonly signature: Uint8Array;
  /** The time-stamp token of `sigTst2`, or the authority's response of `sigTst`. */
  readonly timeStamp?: { readonly version: 1 | 2; readonly value: Uint8Array };
  /** Whether a time stamp is present in a form that C2PA does not allow. */
  readonly hasMalformedTimeStamp: boolean;
}

const COSE_ALGORITHMS = { es256: -7, ed25519: -8 } as const;
const SIGN1_TAG = 18;
const CERTIFICATES_LABEL = 33;
const NO_BYTES = new Uint8Array(0);

/** The protected headers: algorithm and certificates. @param certificates DER, the signer's first */
export const protectedHeaders = (
  algorithm: keyof typeof COSE_ALGORITHMS,
  certificates: readonly Uint8Array[],
): Buffer =>
  cbor.map(
    cbor.integer(1),
    cbor.integer(COSE_ALGORITHMS[algorithm]),
    cbor.integer(CERTIFICATES_LABEL),
    cbor.array(...certificates.map(cbor.bytes)),
  );

/** The signed bytes for a claim (RFC 9052, 4.4). */
export const signedStructure = (headers: Uint8Array, claim: Uint8Array): Buffer =>
  structure('Signature1', headers, claim);

/**
 * The bytes that a time stamp covers. Version 2: the signature, as CBOR; version 1: the claim. C2PA 2.2, 10.3.2.5.2 and 10.3.2.5.3.
 * @param payload the signature, or the claim
 */
export const stampedStructure = (headers: Uint8Array, payload: Uint8Array, version: 1 | 2): Buffer =>
  structure('CounterSignature', headers, version === 2 ? cbor.bytes(payload) : payload);

const structure = (context: string, headers: Uint8Array, payload: Uint8Array): Buffer =>
  cbor.array(cbor.text(context), cbor.bytes(headers), cbor.bytes(NO_BYTES), cbor.bytes(payload));

/**
 * Encodes COSE_Sign1 with exactly `length` bytes, padded in the unprotected headers.
 * @param token DER of a time-stamp token, stored as `sigTst2` (C2PA 2.2, 10.3.2.5.4)
 * @returns undefined if it does not fit
 */
export function sealCose(
  {
    headers,
    signature,
    token,
  }: { headers: Uint8Array; signature: Uint8Array; token?: Uint8Array | undefined },
  length: number,
): Buffer | undefined {
  const stamp = token
    ? [
        cbor.text('sigTst2'),
        cbor.map(cbor.text('tstTokens'), cbor.array(cbor.map(cbor.text('val'), cbor.bytes(token)))),
      ]
    : [];
  const sign1Of = (padding: number) =>
    cbor.tag(
      SIGN1_TAG,
      cbor.array(
        cbor.bytes(headers),
        cbor.map(...stamp, cbor.text('pad'), cbor.bytes(Buffer.alloc(padding))),
        cbor.null,
        cbor.bytes(signature),
      ),
    );
  let padding = length - sign1Of(0).length;
  while (padding > 0 && sign1Of(padding).length > length) padding -= 1;
  const sealed = padding >= 0 ? sign1Of(padding) : undefined;
  return sealed?.length === length ? sealed : undefined;
}

/** Reads the signature of a manifest. Undefined for invalid bytes; never throws. */
export function readCose(bytes: Uint8Array): CoseSignature | undefined {
  let decoded: unknown;
  try {
    decoded = decode(bytes, { useMaps: true, tags: Tagged.preserve(SIGN1_TAG) });
  } catch {
    return undefined;
  }
  const parts = decoded instanceof Tagged ? decoded.value : decoded;
  if (!Array.isArray(parts) || parts.length !== 4) return undefined;
  const [headers, unprotected, , signature]: unknown[] = parts;
  if (!(headers instanceof Uint8Array) || !(signature instanceof Uint8Array) || !(unprotected instanceof Map))
    return undefined;
  const version = unprotected.has('sigTst2') ? 2 : unprotected.has('sigTst') ? 1 : undefined;
  const value = version && tokenIn(unprotected.get(version === 2 ? 'sigTst2' : 'sigTst'));
  return {
    headers,
    signature,
    hasMalformedTimeStamp: version !== undefined && value === undefined,
    ...(version !== undefined && value && { timeStamp: { version, value } }),
  };
}

/** C2PA allows exactly one. */
function tokenIn(container: unknown): Uint8Array | undefined {
  const tokens: unknown = container instanceof Map ? container.get('tstTokens') : undefined;
  const [token, ...more]: unknown[] = Array.isArray(tokens) ? tokens : [];
  const value: unknown = token instanceof Map ? token.get('val') : undefined;
  return value instanceof Uint8Array && more.length === 0 ? value : undefined;
}

/** Encoder for the CBOR subset (RFC 8949) of a COSE signature. */
const cbor = {
  integer: (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value)),
  bytes: (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value]),
  text: (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]),
  array: (...items: Uint8Array[]): Buffer => Buffer.concat([head(4, items.length), ...items]),
  /** Alternating keys and values. */
  map: (...pairs: Uint8Array[]): Buffer => Buffer.concat([head(5, pairs.length / 2), ...pairs]),
  tag: (number: number, item: Uint8Array): Buffer => Buffer.concat([head(6, number), item]),
  null: Buffer.from([0xf6]),
};

function head(major: number, value: number): Buffer {
  const first = major << 5;
  if (value < 24) return Buffer.from([first | value]);
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : 4;
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = first | { 1: 24, 2: 25, 4: 26 }[size]!;
  bytes.writeUIntBE(value, 1, size);
  return bytes;
}
