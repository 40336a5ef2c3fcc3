import { writeXmp } from '../xmp/write_xmp.ts';
import type { NewPackets } from './new_packets.ts';
import { type RiffChunk, riffChunk, riffChunks } from './riff_chunks.ts';

const ALPHA = 0x10;
const EXIF = 0x08;
const XMP = 0x04;

/**
 * Adds Exif and XMP after the image data, in the order of the container specification. A file in the simple format gets the VP8X chunk of the
 * extended one; the chunks of the image stay unchanged.
 */
export function writeWebp(
  bytes: Uint8Array,
  { properties, exif }: NewPackets,
  size: { width: number; height: number },
): Buffer {
  const { chunks, rest } = riffChunks(bytes);
  const kept = chunks.filter(({ type }) => !isReplaced(type, exif !== undefined));
  const flags =
    EXIF * Number(exif !== undefined || chunks.some(({ type }) => type === 'EXIF')) +
    XMP * Number(properties.length > 0);
  const body = Buffer.concat([
    extendedHead(chunks, size, { set: flags, clear: EXIF | XMP }),
    ...kept.map((chunk) => chunk.bytes),
    ...(exif ? [riffChunk('EXIF', exif)] : []),
    ...(properties.length > 0 ? [riffChunk('XMP ', writeXmp(properties))] : []),
  ]);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body, bytes.subarray(rest)]);
}

const isReplaced = (type: string, exifToo: boolean): boolean =>
  ['VP8X', 'XMP ', 'XMP\0', 'C2PA'].includes(type) || (exifToo && type === 'EXIF');

/** The VP8X chunk of the extended format: that of the file with new flags, or a new one. */
export function extendedHead(
  chunks: readonly RiffChunk[],
  { width, height }: { width: number; height: number },
  { set, clear }: { readonly set: number; readonly clear: number },
): Buffer {
  const [first] = chunks;
  const data = Buffer.alloc(10);
  if (first?.type === 'VP8X' && first.data.length >= 10) {
    data.set(first.data.subarray(0, 10));
    data[0] = (data[0]! & ~clear) | set;
  } else {
    // Bit 28 of the lossless header: transparency.
    const isTransparent = first?.type === 'VP8L' && (first.data[4]! & ALPHA) !== 0;
    data[0] = set | (isTransparent ? ALPHA : 0);
    data.writeUIntLE(width - 1, 4, 3);
    data.writeUIntLE(height - 1, 7, 3);
  }
  return riffChunk('VP8X', data);
}
