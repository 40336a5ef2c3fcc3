import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { cleanFileName } from '../../../core/storage/blobs/file_name.ts';
import { ZIP_BYTES_MAX, ZIP_ENTRIES_MAX, ZIP_FILES_MAX, ZIP_RATIO_MAX } from '../limits.ts';
import type { ReadZip } from './types.ts';

const RATIO_FREE_BYTES = 1024 * 1024;

export async function readZip(bytes: Uint8Array): Promise<ReadZip> {
  const zip = await openZip(bytes);
  try {
    if (zip.entryCount > ZIP_ENTRIES_MAX)
      throw tooLarge(`It has ${zip.entryCount} entries. The limit is ${ZIP_ENTRIES_MAX}.`);
    const listed = (await entriesOf(zip))
      .map((entry) => ({ entry, path: pathOf(entry) }))
      .filter(({ path }) => !isFolder(path) && !LITTER.test(path))
      .map(({ entry, path }) => ({ entry, path, why: whySkipped(entry, path) }));
    const skipped = listed.flatMap(({ path, why }) =>
      why === undefined ? [] : [{ name: cleanFileName(path) ?? 'unnamed', why }],
    );
    const kept = listed.filter(({ why }) => why === undefined);
    requireBounds(
      kept.map(({ entry }) => entry),
      bytes.length,
    );
    const files = kept.map(({ entry, path }) => ({
      name: cleanFileName(path)!,
      sizeBytes: entry.uncompressedSize,
      read: () => readEntry(zip, entry),
    }));
    return { files, skipped, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Names are decoded and sanitised here: the library rejects the whole archive for one unsafe path. */
function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: true, autoClose: false };
  return new Promise((resolve, reject) =>
    fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options, (error, zip) =>
      error ? reject(unreadable(error.message)) : resolve(zip),
    ),
  );
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', (error: Error) => reject(unreadable(error.message)));
    zip.readEntry();
  });
}

/** The path of an entry, in UTF-8 if flagged, else code page 437. */
const pathOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE = 0o170000;
/** Hidden files, and files added by operating systems, which are skipped without a message. */
const LITTER = /(^|[/\\])(__MACOSX[/\\]|\.[^./\\]|Thumbs\.db$|desktop\.ini$)/i;

const isFolder = (path: string): boolean => /[/\\]$/.test(path);

/** Why an entry is skipped; undefined for a file to unpack. */
function whySkipped(entry: Entry, path: string): string | undefined {
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) return 'It is a symbolic link.';
  if (entry.isEncrypted()) return 'It is encrypted.';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return `It is compressed by method ${entry.compressionMethod}. Supported: store and deflate.`;
  if (cleanFileName(path) === undefined) return 'It has no name.';
  if (entry.uncompressedSize === 0) return 'It is empty.';
  if (entry.uncompressedSize > UPLOAD_BYTES_MAX)
    return `It has ${entry.uncompressedSize} bytes. The limit per file is ${UPLOAD_BYTES_MAX}.`;
  return undefined;
}

function requireBounds(entries: readonly Entry[], packedBytes: number): void {
  if (entries.length === 0) throw unreadable('it contains no file that can be unpacked');
  if (entries.length > ZIP_FILES_MAX)
    throw tooLarge(`It has ${entries.length} files. The limit is ${ZIP_FILES_MAX}.`);
  const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > ZIP_BYTES_MAX)
    throw tooLarge(`Its files have ${total} bytes in total. The limit is ${ZIP_BYTES_MAX}.`);
  if (total - RATIO_FREE_BYTES > packedBytes * ZIP_RATIO_MAX)
    throw tooLarge(
      `It unpacks to ${Math.round(total / packedBytes)} times its size. The limit is ${ZIP_RATIO_MAX} times.`,
    );
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) =>
      error ? reject(unreadable(error.message)) : resolve(opened),
    ),
  );
  // The library ends the stream with an error at the first byte beyond the announced size.
  const bytes = await buffer(stream).catch((error: Error) => {
    throw unreadable(error.message);
  });
  if (crc32(bytes) !== entry.crc32) throw unreadable('the checksum of a file is wrong');
  return bytes;
}

const unreadable = (why: string): AtelierError =>
  new AtelierError('unreadable_zip', `zip is not a ZIP that can be unpacked: ${why}.`);

const tooLarge = (why: string): AtelierError => new AtelierError('zip_too_large', `zip is too large. ${why}`);
