import { type Ifd, numberReader, readIfd } from '../metadata/tiff/ifd.ts';

/** StripOffsets and TileOffsets. TIFF 6.0, sections 8 and 15 */
const PLACES = [273, 324];
const LONG = 4;
const ENTRY_BYTES = 12;

/** NewSubfileType: one page of several, as a number of 32 bits. TIFF 6.0, section 8 */
const PAGE_ENTRY = Buffer.from('fe0004000100000002000000', 'hex');

/**
 * Files of one page as one file of all of them: they follow each other, with the places in them moved, and each directory names the next.
 * @param files of libvips: little-endian, without BigTIFF, directories within directories and a NewSubfileType
 */
export function joinTiffs(files: readonly Uint8Array[]): Buffer {
  const pieces: Buffer[] = [];
  let end = 0;
  let nextAt: { readonly file: Buffer; readonly at: number } | undefined;
  for (const bytes of files) {
    const { file, ifd } = asPage(bytes);
    movePlaces(file, ifd, end);
    if (nextAt) nextAt.file.writeUInt32LE(end + ifd.offset, nextAt.at);
    else file.writeUInt32LE(ifd.offset, 4);
    nextAt = { file, at: ifd.offset + 2 + ENTRY_BYTES * ifd.entries.length };
    pieces.push(file);
    end += file.length;
  }
  return Buffer.concat(pieces);
}

/** The file with a directory at its end that calls it a page. */
function asPage(bytes: Uint8Array): { file: Buffer; ifd: Ifd } {
  const own = readIfd(bytes);
  if (!own?.little || own.big || (own.entries[0]?.tag ?? 0) <= 254)
    throw new Error('a TIFF of one page was not written as expected');
  const count = Buffer.alloc(2);
  count.writeUInt16LE(own.entries.length + 1);
  const directory = [count, PAGE_ENTRY, ...own.entries.map(({ raw }) => raw), Buffer.alloc(4)];
  const at = bytes.length + (bytes.length & 1);
  // Directories begin at even numbers.
  const file = Buffer.concat([bytes, Buffer.alloc(bytes.length & 1), ...directory]);
  return { file, ifd: readIfd(file, at)! };
}

function movePlaces(file: Buffer, { entries, offset }: Ifd, by: number): void {
  const read = numberReader(file, true);
  for (const [index, { tag, type, count, data }] of entries.entries()) {
    const valueAt = offset + 2 + ENTRY_BYTES * index + 8;
    if (PLACES.includes(tag)) {
      if (type !== LONG) throw new Error(`tag ${tag} of a TIFF has type ${type}`);
      const first = data.byteOffset - file.byteOffset;
      for (let at = first; at < first + 4 * count; at += 4) file.writeUInt32LE(read(at, 4) + by, at);
    }
    if (data.length > 4) file.writeUInt32LE(read(valueAt, 4) + by, valueAt);
  }
}
