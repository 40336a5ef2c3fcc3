import { inflateSync } from 'node:zlib';
import { EngineError } from '../../errors/engine_error.ts';
import type { Size } from '../../pixels/plane.ts';
import { JPEG_SCANS_MAX, PNG_METADATA_BYTES_MAX } from '../limits.ts';

/**
 * Reads the size stated in a header, before EXIF orientation. Offsets outside the file make DataView throw a RangeError, which `readHeader` converts:
 * readers need no bounds checks, and each loop advances by at least one byte and counts its steps.
 */
export type ReadSize = (view: DataView) => Size;

/** Files with more parts before their pixels are denial-of-service attempts. */
const HEADER_PARTS_MAX = 20_000;

export const brokenPicture = (reason: string): EngineError =>
  new EngineError(
    'undecodable_image',
    `The image cannot be decoded: ${reason}. Save it again as PNG or JPEG.`,
  );

/** Four bytes as Latin-1 text, such as the type of a chunk or box. */
export const fourCharacters = (view: DataView, offset: number): string =>
  String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  );

const bytesOf = (view: DataView, start: number, end: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(start, end);

const EXTENSION = 0x21;
const FRAME = 0x2c;

/** The logical screen, enlarged if the first frame exceeds it, as in decoders. GIF89a, 18 and 20. */
export function gifSize(view: DataView): Size {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const flags = view.getUint8(10);
  let offset = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  while (view.getUint8(offset) === EXTENSION) offset = skipSubBlocks(view, offset + 2);
  if (view.getUint8(offset) !== FRAME) throw brokenPicture('the GIF has no frame');
  const [left, top, width, height] = [1, 3, 5, 7].map((at) => view.getUint16(offset + at, true));
  return { width: Math.max(screen.width, left! + width!), height: Math.max(screen.height, top! + height!) };
}

function skipSubBlocks(view: DataView, start: number): number {
  let offset = start;
  for (let blocks = 0; blocks < HEADER_PARTS_MAX; blocks += 1) {
    const bytes = view.getUint8(offset);
    offset += bytes + 1;
    if (bytes === 0) return offset;
  }
  throw brokenPicture('a GIF extension does not end');
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME_BYTES = 12;

/**
 * Size from IHDR. Also adds up the decompressed size of ICC profiles and texts: decoders inflate them all, and a few kilobytes can expand to
 * gigabytes.
 */
export function pngSize(view: DataView): Size {
  if (fourCharacters(view, SIGNATURE_BYTES + 4) !== 'IHDR')
    throw brokenPicture('the PNG does not begin with IHDR');
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  refuseInflatingMetadata(view);
  return size;
}

function refuseInflatingMetadata(view: DataView): void {
  let left = PNG_METADATA_BYTES_MAX;
  let offset = SIGNATURE_BYTES;
  for (let chunks = 0; offset + CHUNK_FRAME_BYTES <= view.byteLength; chunks += 1) {
    if (chunks > HEADER_PARTS_MAX) throw brokenPicture('the PNG has too many chunks');
    const length = view.getUint32(offset);
    const type = fourCharacters(view, offset + 4);
    if (type === 'IEND') return;
    if (type === 'iCCP' || type === 'zTXt' || type === 'iTXt') {
      left -= countInflated(compressedPart(type, bytesOf(view, offset + 8, offset + 8 + length)), left);
    }
    offset += length + CHUNK_FRAME_BYTES;
  }
}

/** The zlib stream in a chunk; empty if there is none. PNG 3rd edition, 11.3.2.3 and 11.3.3. */
function compressedPart(type: string, data: Uint8Array): Uint8Array {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0) return data.subarray(0, 0);
  if (type !== 'iTXt') return data.subarray(nameEnd + 2);
  const isCompressed = data[nameEnd + 1] === 1;
  const languageEnd = data.indexOf(0, nameEnd + 3);
  const keywordEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1);
  return isCompressed && keywordEnd >= 0 ? data.subarray(keywordEnd + 1) : data.subarray(0, 0);
}

function countInflated(compressed: Uint8Array, bytesMax: number): number {
  if (compressed.length === 0) return 0;
  try {
    return inflateSync(compressed, { maxOutputLength: Math.max(1, bytesMax) }).length;
  } catch (error) {
    // A damaged stream counts as empty; the decoder decides whether it matters.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return 0;
    throw brokenPicture(
      `its compressed metadata inflates to more than ${PNG_METADATA_BYTES_MAX / 1024 / 1024} MiB`,
    );
  }
}

const FIRST_CHUNK = 12;
const DATA = FIRST_CHUNK + 8;

/** Size from the first chunk: the canvas of an extended file, else the frame. RFC 9649. */
export function webpSize(view: DataView): Size {
  const type = fourCharacters(view, FIRST_CHUNK);
  if (type === 'VP8X') return { width: uint24(view, DATA + 4) + 1, height: uint24(view, DATA + 7) + 1 };
  if (type === 'VP8L') return losslessSize(view);
  if (type === 'VP8 ') return lossySize(view);
  throw brokenPicture('the WebP holds no picture');
}

/** Size of the whole file in bytes, from its first chunk. RFC 9649, 2.4. */
export const webpBytes = (view: DataView): number => view.getUint32(4, true) + 8;

/** Whether chunks are consecutive up to the end of the file; the last padding byte may be missing. */
export function webpChunksAreWhole(view: DataView): boolean {
  let offset = FIRST_CHUNK;
  for (let chunks = 0; offset + 8 <= view.byteLength && chunks < HEADER_PARTS_MAX; chunks += 1) {
    const size = view.getUint32(offset + 4, true);
    offset += 8 + size;
    if (offset === view.byteLength) return true;
    offset += size % 2;
  }
  return offset === view.byteLength;
}

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);

function losslessSize(view: DataView): Size {
  if (view.getUint8(DATA) !== 0x2f) throw brokenPicture('the lossless WebP has a wrong signature');
  const bits = view.getUint32(DATA + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** RFC 6386, 9.1: three bytes of frame tag, the start code 9d 01 2a, then two 14-bit sizes with 2 bits of scale each. */
function lossySize(view: DataView): Size {
  if (view.getUint16(DATA + 3) !== 0x9d01) throw brokenPicture('the WebP does not begin with a key frame');
  return { width: view.getUint16(DATA + 6, true) & 0x3fff, height: view.getUint16(DATA + 8, true) & 0x3fff };
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * Size from the frame header (SOF), found by walking the segments before the first scan. ITU-T T.81, B.1. Rejects images with more scans than
 * programs write: each is a pass over all pixels, and a file of 200 KB can hold a thousand.
 */
export function jpegSize(view: DataView): Size {
  let offset = 2;
  for (let steps = 0; steps < HEADER_PARTS_MAX; steps += 1) {
    const marker = view.getUint8(offset + 1);
    if (isFillOrStray(view, offset)) offset += 1;
    else if (isFrame(marker)) {
      refuseManyScans(view, offset);
      return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    } else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    else offset += 2 + (standsAlone(marker) ? 0 : segmentBytes(view, offset));
  }
  throw brokenPicture('the JPEG has no frame header');
}

/** Counts the scans after the frame header. A truncated file has no more scans; the decoder reports it. */
function refuseManyScans(view: DataView, frame: number): void {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const components = view.getUint8(frame + 9);
  let scans = 0;
  let offset = frame;
  while (offset >= 0 && offset + 4 < bytes.length) {
    const marker = bytes[offset + 1]!;
    if (marker === END_OF_IMAGE) return;
    if (marker === START_OF_SCAN) {
      // A single sequential scan with all components is the whole image.
      if (scans === 0 && isSequential(bytes[frame + 1]!) && bytes[offset + 4] === components) return;
      scans += 1;
      if (scans > JPEG_SCANS_MAX) throw brokenPicture(`it has more than ${JPEG_SCANS_MAX} scans`);
    }
    const isSegment = !isFillOrStray(view, offset) && !standsAlone(marker);
    // Scan data is between the segments; the only markers in it are restart markers.
    offset = bytes.indexOf(0xff, offset + (isSegment ? 2 + bytes.readUint16BE(offset + 2) : 1));
  }
}

const isFillOrStray = (view: DataView, offset: number): boolean => {
  const marker = view.getUint8(offset + 1);
  return view.getUint8(offset) !== 0xff || marker === 0xff || marker === 0;
};

/** SOF0 to SOF15, except the codes of Huffman tables (C4), extensions (C8) and arithmetic conditioning (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Progressive are SOF2, 6, 10 and 14. */
const isSequential = (frame: number): boolean => frame % 4 !== 2;

const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function segmentBytes(view: DataView, offset: number): number {
  const bytes = view.getUint16(offset + 2);
  if (bytes < 2) throw brokenPicture('a JPEG segment is shorter than its own length field');
  return bytes;
}
