import { type Cid, cidBytes, cidOf, DAG_PB, RAW, varint } from './cid.ts';

export interface Block {
  readonly cid: Cid;
  readonly bytes: Uint8Array;
}

const CHUNK_BYTES = 1024 * 1024;
const LINKS_MAX = 1024;

/**
 * A file as IPFS stores it under the profile UnixFS 1.0 of 2025 (IPIP-499): one raw block up to 1 MiB, else raw chunks of
 * 1 MiB under a node that links them. The root comes last.
 * @throws RangeError above 1 GiB, where the tree would need another level
 */
export function unixfsBlocks(bytes: Uint8Array): readonly [...Block[], Block] {
  if (bytes.length <= CHUNK_BYTES) return [{ cid: cidOf(RAW, bytes), bytes }];
  const leaves = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) => {
    const chunk = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    return { cid: cidOf(RAW, chunk), bytes: chunk };
  });
  if (leaves.length > LINKS_MAX) throw new RangeError('a file of that size needs another level of nodes');
  const node = fileNode(leaves, bytes.length);
  return [...leaves, { cid: cidOf(DAG_PB, node), bytes: node }];
}

/** DAG-PB: the links, then the data of UnixFS, each a field of protocol buffers. */
function fileNode(leaves: readonly Block[], sizeBytes: number): Buffer {
  const links = leaves.map(({ cid, bytes }) =>
    field(2, Buffer.concat([field(1, cidBytes(cid)), field(2, Buffer.alloc(0)), number(3, bytes.length)])),
  );
  const data = Buffer.concat([
    // Type 2 is a file; then its size, and that of each part.
    number(1, 2),
    number(3, sizeBytes),
    ...leaves.map(({ bytes }) => number(4, bytes.length)),
  ]);
  return Buffer.concat([...links, field(1, data)]);
}

const field = (tag: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of((tag << 3) | 2), varint(bytes.length), bytes]);
const number = (tag: number, value: number): Buffer => Buffer.concat([Buffer.of(tag << 3), varint(value)]);
