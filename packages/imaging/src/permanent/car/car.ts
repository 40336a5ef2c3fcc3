import { type Cid, cidBytes, varint } from './cid.ts';
import type { Block } from './unixfs.ts';

/** Blocks as a content-addressable archive (CARv1), which any IPFS node imports and any reader checks; piece by piece. */
export function* carSections(root: Cid, blocks: readonly Block[]): Generator<Buffer> {
  yield section(header(root));
  for (const { cid, bytes } of blocks) yield section(cidBytes(cid), bytes);
}

function section(...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return Buffer.concat([varint(length), ...parts]);
}

/** DAG-CBOR of {roots: [root], version: 1}; a link is tag 42 over its bytes behind a zero. */
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
