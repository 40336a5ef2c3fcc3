export interface RiffChunk {
  readonly type: string;
  /** Type, length, data, and the padding byte, added if the last chunk lacks it. */
  readonly bytes: Buffer;
  readonly data: Buffer;
}

const HEAD_BYTES = 12;

/** The chunks of a WebP file, and the offset of trailing data. A truncated file ends the list early. */
export function riffChunks(bytes: Uint8Array): { chunks: RiffChunk[]; rest: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: RiffChunk[] = [];
  const fileEnd = Math.min(buffer.length, buffer.length < HEAD_BYTES ? 0 : buffer.readUInt32LE(4) + 8);
  let at = HEAD_BYTES;
  while (at + 8 <= fileEnd) {
    const size = buffer.readUInt32LE(at + 4);
    if (at + 8 + size > fileEnd) break;
    const end = Math.min(at + 8 + size + (size % 2), buffer.length);
    const lacking = Buffer.alloc(at + 8 + size + (size % 2) - end);
    const bytes = buffer.subarray(at, end);
    chunks.push({
      type: buffer.toString('latin1', at, at + 4),
      bytes: lacking.length > 0 ? Buffer.concat([bytes, lacking]) : bytes,
      data: buffer.subarray(at + 8, at + 8 + size),
    });
    at = end;
  }
  return { chunks, rest: at };
}

export function riffChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
