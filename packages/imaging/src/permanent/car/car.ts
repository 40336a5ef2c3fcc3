import { createHash } from 'node:crypto';
import { canonicalJson } from '../../provenance/soulmark/canonical_json.ts';

/** Serialises blocks as a content-addressable archive (CARv1), which IPFS nodes can import, in sections. */
export function* carSections(root: Cid, blocks: readonly Block[]): Generator<Buffer> {
  yield section(header(root));
  for (const { cid, bytes } of blocks) yield section(cidBytes(cid), bytes);
}

function section(...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return Buffer.concat([varint(length), ...parts]);
}

/** DAG-CBOR of {roots: [root], version: 1}; a link is tag 42 over its bytes with a leading zero. */
function header(root: Cid): Buffer {
  const link = Buffer.concat([Buffer.of(0), cidBytes(root)]);
  return Buffer.concat([
    Buffer.of(0xa2, 0x65),
    Buffer.from('roots'),
    Buffer.of(0x81, 0xd8, 0x2a, 0x58, link.length),
    link,
    Buffer.of(0x67),
    Buffer.from('version'),
    Buffer.of(1),
  ]);
}

/** Multicodec numbers of supported codecs: https://github.com/multiformats/multicodec */
export const RAW = 0x55;
export const DAG_PB = 0x70;
const DAG_JSON = 0x0129;

/** A content identifier: version 1, sha2-256. */
interface Cid {
  readonly codec: number;
  readonly sha256: Uint8Array;
}

/** CID of a block under a codec. */
export const cidOf = (codec: number, block: Uint8Array): Cid => ({
  codec,
  sha256: createHash('sha256').update(block).digest(),
});

/** Version, codec, then the multihash: its function (0x12), its length, the digest. */
const cidBytes = ({ codec, sha256 }: Cid): Buffer =>
  Buffer.concat([Buffer.of(1), varint(codec), Buffer.of(0x12, 32), sha256]);

/** The usual text form of version 1: multibase "b", lower-case base32 without padding. */
export const cidText = (cid: Cid): string => `b${base32(cidBytes(cid))}`;

/** Parses a version 1 CID with sha2-256 in base32; undefined for anything else. */
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
function varint(value: number): Buffer {
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

interface ArchivedFile {
  /** Links to the content, and contains its metadata. */
  readonly record: Block;
  readonly content: Cid;
}

interface About {
  readonly contentType: string;
  readonly sha256: string;
  readonly metadata: object;
}

/**
 * The record of a file in the archive, as DAG-JSON: the same bytes and metadata always give the same record.
 * @throws TypeError for metadata without a canonical form
 */
export function archiveRecord(bytes: Uint8Array, about: About): ArchivedFile {
  const content = unixfsBlocks(bytes).at(-1)!.cid;
  const link = { '/': cidText(content) };
  const record = Buffer.from(recordText('archive', link, { ...about, sizeBytes: bytes.length }));
  return { record: { cid: cidOf(DAG_JSON, record), bytes: record }, content };
}

/**
 * Metadata stored with a file, as canonical JSON.
 * @param content identifier of the bytes in the store
 * @throws TypeError for metadata without a canonical form
 */
export function recordText(
  store: string,
  content: unknown,
  { contentType, sha256, metadata, sizeBytes }: About & { sizeBytes: number },
): string {
  return canonicalJson({
    type: `atelier.${store}.record.1`,
    content,
    content_type: contentType,
    metadata,
    sha256,
    size_bytes: sizeBytes,
  });
}

interface Block {
  readonly cid: Cid;
  readonly bytes: Uint8Array;
}

const CHUNK_BYTES = 1024 * 1024;
const LINKS_MAX = 1024;

/**
 * Splits a file as IPFS stores it under the 2025 profile of UnixFS 1.0 (IPIP-499): one raw block up to 1 MiB, otherwise raw 1 MiB chunks
 * under a node that links them. The root is last.
 * @throws RangeError above 1 GiB, which would need another tree level
 */
export function unixfsBlocks(bytes: Uint8Array): readonly [...Block[], Block] {
  if (bytes.length <= CHUNK_BYTES) return [{ cid: cidOf(RAW, bytes), bytes }];
  const leaves = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) => {
    const chunk = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    return { cid: cidOf(RAW, chunk), bytes: chunk };
  });
  if (leaves.length > LINKS_MAX) throw new RangeError('the file is too large for a single-level tree');
  const node = fileNode(leaves, bytes.length);
  return [...leaves, { cid: cidOf(DAG_PB, node), bytes: node }];
}

/** DAG-PB: the links, then the UnixFS data, as protocol buffer fields. */
function fileNode(leaves: readonly Block[], sizeBytes: number): Buffer {
  const links = leaves.map(({ cid, bytes }) =>
    field(2, Buffer.concat([field(1, cidBytes(cid)), field(2, Buffer.alloc(0)), number(3, bytes.length)])),
  );
  const data = Buffer.concat([
    // Type 2 is a file; then its size and the size of each chunk.
    number(1, 2),
    number(3, sizeBytes),
    ...leaves.map(({ bytes }) => number(4, bytes.length)),
  ]);
  return Buffer.concat([...links, field(1, data)]);
}

const field = (tag: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of((tag << 3) | 2), varint(bytes.length), bytes]);
const number = (tag: number, value: number): Buffer => Buffer.concat([Buffer.of(tag << 3), varint(value)]);
