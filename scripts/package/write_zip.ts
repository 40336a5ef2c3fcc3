import { closeSync, globSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** Fields of the ZIP format, APPNOTE 6.3.10: sections 4.3.7, 4.3.12 and 4.3.16. */
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0 needed to extract; made on Unix, so that permissions are preserved. */
const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const FILES_MAX = 0xffff;
const BYTES_MAX = 0xffffffff;
/** 1 January 1980, the earliest date of the format: the same files make the same archive. */
const DATE = (1 << 5) | 1;

/**
 * Packs the files of a folder, with their permissions and without dates. Links are left out.
 * @throws Error for more files or bytes than the format supports without its 64-bit extension
 */
export function writeZip(folder: string, target: string): void {
  const names = globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  if (names.length > FILES_MAX) throw new Error(`${names.length} files are too many for one archive.`);
  const output = openSync(target, 'w');
  const directory: Buffer[] = [];
  let offset = 0;
  try {
    for (const name of names) {
      const bytes = readFileSync(join(folder, name));
      const packed = deflateRawSync(bytes);
      const path = Buffer.from(name.replaceAll('\\', '/'));
      const about = describe(bytes, packed, path);
      const head = Buffer.concat([words(LOCAL_HEADER, 4), words(VERSION), about, words(0), path]);
      const mode = words((statSync(join(folder, name)).mode & 0xffff) * 0x10000, 4);
      directory.push(
        ...[words(CENTRAL_HEADER, 4), words(MADE_ON_UNIX), words(VERSION), about],
        ...[words(0), words(0), words(0), words(0), mode, words(offset, 4), path],
      );
      writeSync(output, head);
      writeSync(output, packed);
      offset += head.length + packed.length;
      if (offset > BYTES_MAX) throw new Error('The archive would be larger than 4 GiB.');
    }
    const index = Buffer.concat(directory);
    writeSync(output, index);
    const count = words(names.length);
    const end = [words(END, 4), words(0), words(0), count, count];
    writeSync(output, Buffer.concat([...end, words(index.length, 4), words(offset, 4), words(0)]));
  } finally {
    closeSync(output);
  }
}

/** Fields common to both headers of a file, up to the length of its name. */
const describe = (bytes: Buffer, packed: Buffer, path: Buffer): Buffer =>
  Buffer.concat([
    ...[UTF8_NAMES, DEFLATED, 0, DATE].map((value) => words(value)),
    ...[crc32(bytes), packed.length, bytes.length].map((value) => words(value, 4)),
    words(path.length),
  ]);

/** A number as little-endian bytes. */
function words(value: number, size: 2 | 4 = 2): Buffer {
  const buffer = Buffer.alloc(size);
  buffer.writeUIntLE(value, 0, size);
  return buffer;
}
