import { createHash } from 'node:crypto';

/** Multicodec numbers of what a CID may name here: https://github.com/multiformats/multicodec */
export const RAW = 0x55;
export const DAG_PB = 0x70;
export const DAG_JSON = 0x0129;

/** A content identifier: version 1, sha2-256. */
export interface Cid {
  readonly codec: number;
  readonly sha256: Uint8Array;
}

export const cidOf = (codec: number, block: Uint8Array): Cid => ({
  codec,
  sha256: createHash('sha256').update(block).digest(),
});

/** Version, codec, then the multihash: its function (0x12), its length, the digest. */
export const cidBytes = ({ codec, sha256 }: Cid): Buffer =>
  Buffer.concat([Buffer.of(1), varint(codec), Buffer.of(0x12, 32), sha256]);

/** In the one spelling everybody uses for version 1: multibase "b", base32 in lower case without padding. */
export const cidText = (cid: Cid): string => `b${base32(cidBytes(cid))}`;

/** Nothing for what is no CID of version 1 with sha2-256 in base32. */
export function parseCid(text: string): Cid | undefined {
  if (!/^b[a-z2-7]{50,80}$/.test(text)) return undefined;
  const bytes = unbase32(text.slice(1));
  const sha256 = bytes.subarray(-32);
  const cid = [RAW, DAG_PB, DAG_JSON]
    .map((codec) => ({ codec, sha256 }))
    .find((candidate) => cidText(candidate) === text);
  return cid;
}

/** Unsigned LEB128. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left >= 0x80) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.from([...bytes, left]);
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648, section 6. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

function unbase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    value = (value << 5) | ALPHABET.indexOf(character);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
      value &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes);
}
