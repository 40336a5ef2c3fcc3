import { inflateSync } from 'node:zlib';

/** Maximum size of a decompressed font, in bytes. */
const FONT_BYTES_MAX = 40 * 1024 * 1024;
const WOFF_HEADER_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/**
 * Extracts the TrueType or OpenType file from a WOFF 1.0 file; other files are returned unchanged. Source: W3C WOFF 1.0, sections 3 to 5.
 * @throws RangeError above FONT_BYTES_MAX; Error for damaged data
 */
export function unwrapWoff(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 0, 4) !== 'wOFF') return bytes;
  const count = file.readUInt16BE(12);
  const size = file.readUInt32BE(16);
  if (size > FONT_BYTES_MAX) throw new RangeError(`a font of ${size} bytes; at most ${FONT_BYTES_MAX}`);
  const sfnt = Buffer.alloc(size);
  file.copy(sfnt, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  sfnt.writeUInt16BE(count, 4);
  sfnt.writeUInt16BE(16 * 2 ** power, 6);
  sfnt.writeUInt16BE(power, 8);
  sfnt.writeUInt16BE(16 * (count - 2 ** power), 10);
  let end = SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * count;
  for (let at = 0; at < count; at += 1) {
    const entry = WOFF_HEADER_BYTES + WOFF_ENTRY_BYTES * at;
    const [offset, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ];
    const data = file.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(data, { maxOutputLength: length }) : data;
    const row = SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * at;
    // Tag and checksum, then the new offset.
    file.copy(sfnt, row, entry, entry + 4);
    file.copy(sfnt, row + 4, entry + 16, entry + 20);
    sfnt.writeUInt32BE(end, row + 8);
    sfnt.writeUInt32BE(length, row + 12);
    table.copy(sfnt, end);
    end += Math.ceil(length / 4) * 4;
  }
  return sfnt;
}
