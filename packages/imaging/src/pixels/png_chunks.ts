import { crc32 } from 'node:zlib';

export interface Chunk {
  readonly type: string;
  /** Length, type, data, checksum. */
  readonly bytes: Buffer;
  readonly data: Buffer;
}

const SIGNATURE_BYTES = 8;

/** Reads the chunks up to IEND, and the offset after them. The list of a truncated file ends early. */
export function pngChunks(bytes: Uint8Array): { chunks: Chunk[]; rest: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  let at = SIGNATURE_BYTES;
  while (at + 12 <= buffer.length && chunks.at(-1)?.type !== 'IEND') {
    const end = at + 12 + buffer.readUInt32BE(at);
    if (end > buffer.length) break;
    chunks.push({
      type: buffer.toString('latin1', at + 4, at + 8),
      bytes: buffer.subarray(at, end),
      data: buffer.subarray(at + 8, end - 4),
    });
    at = end;
  }
  return { chunks, rest: at };
}

/** Serialises a chunk with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
