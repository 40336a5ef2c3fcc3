import { crc32 } from 'node:zlib';
import { WeightsError } from '../../onnx/tensors.ts';

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_ENTRY = 0x04034b50;
const LOCAL_ENTRY_BYTES = 30;
const STORED = 0;

/**
 * The files inside a zip archive that compresses none of them, as PyTorch writes it, each checked against its CRC-32.
 * They are views of `bytes`. APPNOTE.TXT 6.3.10, 4.3.
 * @throws WeightsError where the archive is cut, altered, compressed or larger than 4 GB
 */
export function zipEntries(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return entriesIn(view, bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The zip archive points outside itself: it is cut or altered.', { cause: error });
  }
}

function entriesIn(view: DataView, bytes: Uint8Array): Map<string, Uint8Array> {
  const end = endOfDirectory(view);
  const entries = new Map<string, Uint8Array>();
  let contained = 0;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new WeightsError('The zip directory is damaged.');
    const nameBytes = view.getUint16(at + 28, true);
    const name = Buffer.from(
      bytes.subarray(at + DIRECTORY_ENTRY_BYTES, at + DIRECTORY_ENTRY_BYTES + nameBytes),
    );
    if (entries.has(name.toString())) throw new WeightsError('The zip archive names one file twice.');
    // Files that lie over each other would be checked again and again: thousands of one of 500 MB.
    contained += view.getUint32(at + 24, true);
    if (contained > bytes.length)
      throw new WeightsError('The zip archive says that it holds more than it has: it is altered.');
    entries.set(name.toString(), contentOf(view, bytes, at));
    at += DIRECTORY_ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endOfDirectory(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  throw new WeightsError('The zip archive has no end: the file is cut off. Download it again.');
}

function contentOf(view: DataView, bytes: Uint8Array, entry: number): Uint8Array {
  if (view.getUint16(entry + 10, true) !== STORED)
    throw new WeightsError('The zip archive is compressed; PyTorch writes it uncompressed.');
  const size = view.getUint32(entry + 24, true);
  const local = view.getUint32(entry + 42, true);
  if (view.getUint32(local, true) !== LOCAL_ENTRY) throw new WeightsError('The zip archive is damaged.');
  const start =
    local + LOCAL_ENTRY_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const content = bytes.subarray(start, start + size);
  if (content.length !== size || crc32(content) !== view.getUint32(entry + 16, true))
    throw new WeightsError('A part of the zip archive does not match its checksum: it is cut or altered.');
  return content;
}
