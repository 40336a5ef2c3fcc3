import { constants, createHash, type KeyObject, sign } from 'node:crypto';

/** RSA key length in bits: signature type 1 of a data item requires 4096. */
export const ARWEAVE_KEY_BITS = 4096;
const KEY_BYTES = ARWEAVE_KEY_BITS / 8;
const SIGNATURE_TYPE = 1;

export interface Tag {
  readonly name: string;
  readonly value: string;
}

export interface DataItem {
  /** base64url SHA-256 of the signature: the identifier of the item. */
  readonly id: string;
  /** The signed item for a bundler, in parts. */
  readonly parts: readonly Uint8Array[];
}

/**
 * Creates a signed data item (ANS-104, without target and anchor), which a bundler uploads to Arweave. The RSA-PSS signature has an empty
 * salt, so the same bytes and tags always give the same item.
 * @param key RSA key of ARWEAVE_KEY_BITS
 */
export function dataItem(data: Uint8Array, tags: readonly Tag[], key: KeyObject): DataItem {
  const owner = ownerOf(key);
  const encoded = encodeTags(tags);
  const none = new Uint8Array(0);
  const signed = deepHash(['dataitem', '1', String(SIGNATURE_TYPE), owner, none, none, encoded, data]);
  const signature = sign('sha256', signed, {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: 0,
  });
  const id = createHash('sha256').update(signature).digest('base64url');
  const type = Buffer.alloc(2);
  type.writeUInt16LE(SIGNATURE_TYPE);
  const lengths = Buffer.alloc(18);
  // Two zeros first: no target and no anchor.
  lengths.writeBigUInt64LE(BigInt(tags.length), 2);
  lengths.writeBigUInt64LE(BigInt(encoded.length), 10);
  return { id, parts: [type, signature, owner, lengths, encoded, data] };
}

/** The modulus of the public key. */
function ownerOf(key: KeyObject): Buffer {
  const owner = Buffer.from(String(key.export({ format: 'jwk' }).n), 'base64url');
  if (owner.length !== KEY_BYTES) throw new RangeError(`the key has ${owner.length * 8} bits`);
  return owner;
}

/** Avro: an array of records of two strings, in one block. */
function encodeTags(tags: readonly Tag[]): Buffer {
  const texts = tags.flatMap(({ name, value }) => [Buffer.from(name), Buffer.from(value)]);
  return Buffer.concat([
    zigzag(tags.length),
    ...texts.flatMap((text) => [zigzag(text.length), text]),
    zigzag(0),
  ]);
}

/** Avro encoding of a non-negative number: doubled (zigzag), seven bits per byte. */
function zigzag(value: number): Buffer {
  const bytes: number[] = [];
  let left = value * 2;
  while (left >= 0x80) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.from([...bytes, left]);
}

/** SHA-384 deep hash of a list: lengths are hashed first, so that different lists have different inputs. */
function deepHash(parts: readonly (Uint8Array | string)[]): Uint8Array {
  return parts.reduce<Uint8Array>(
    (before, part) => sha384(before, blobHash(typeof part === 'string' ? Buffer.from(part) : part)),
    sha384(Buffer.from(`list${parts.length}`)),
  );
}

const blobHash = (bytes: Uint8Array): Buffer =>
  sha384(sha384(Buffer.from(`blob${bytes.length}`)), sha384(bytes));

function sha384(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
