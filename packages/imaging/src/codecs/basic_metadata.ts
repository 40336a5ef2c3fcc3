import { APP1, EXIF_HEAD, jpegSegments, startsWith } from '../metadata/containers/jpeg_segments.ts';
import type { Size } from '../pixels/plane.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';
import { readHeader } from './read_header.ts';

export interface BasicMetadata {
  /** Of Exif, 1 to 8. */
  readonly orientation: number;
  /** Once the orientation is applied. */
  readonly upright: Size;
  readonly icc?: Buffer | undefined;
  readonly exif?: Buffer | undefined;
  /** Of an AVIF; those of other formats are read from their containers. */
  readonly xmp?: Buffer | undefined;
}

/**
 * What libvips reads beside the pixels. Opening a file there takes a millisecond, as much as resizing a small image: one whose header
 * certainly has neither Exif nor a profile is not opened.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function basicMetadata(bytes: Uint8Array): Promise<BasicMetadata> {
  const { format, width, height } = readHeader(bytes);
  if (IS_PLAIN[format]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
    return { orientation: 1, upright: { width, height } };
  const { orientation = 1, autoOrient, icc, exif, xmp } = await awaitDecoding(openPicture(bytes).metadata());
  return { orientation, upright: { width: autoOrient.width, height: autoOrient.height }, icc, exif, xmp };
}

const IS_PLAIN: Record<string, ((file: Buffer) => boolean) | undefined> = {
  jpeg: isPlainJpeg,
  png: isPlainPng,
  webp: isPlainWebp,
};

const APP2 = 0xe2;
const PROFILE_HEAD = Buffer.from('ICC_PROFILE\0', 'latin1');

/** Only where the list reaches the first scan: of a damaged file, libjpeg may find segments behind what ended it. */
function isPlainJpeg(file: Buffer): boolean {
  const { segments, rest } = jpegSegments(file);
  const isWhole = file[rest] === 0xff && file[rest + 1] === 0xda;
  return (
    isWhole &&
    !segments.some(
      ({ marker, payload }) =>
        (marker === APP1 && startsWith(payload, EXIF_HEAD)) ||
        (marker === APP2 && startsWith(payload, PROFILE_HEAD)),
    )
  );
}

/** Chunks before the pixels that hold neither. https://www.w3.org/TR/png-3/#4Concepts.FormatTypes */
const PLAIN_CHUNKS = new Set([
  'IHDR',
  'sRGB',
  'gAMA',
  'cHRM',
  'pHYs',
  'PLTE',
  'tRNS',
  'bKGD',
  'sBIT',
  'tIME',
]);
const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const CHUNK_BYTES = 12;

function isPlainPng(file: Buffer): boolean {
  let at = PNG_SIGNATURE_BYTES;
  while (at + CHUNK_BYTES <= file.length) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') return true;
    if (!PLAIN_CHUNKS.has(type)) return false;
    at += CHUNK_BYTES + file.readUInt32BE(at);
  }
  return false;
}

/** A simple file has one chunk; an extended one tells in its flags what it has. https://developers.google.com/speed/webp/docs/riff_container */
function isPlainWebp(file: Buffer): boolean {
  const type = file.toString('latin1', 12, 16);
  const HAS_PROFILE_OR_EXIF = 0b0010_1000;
  return type === 'VP8 ' || type === 'VP8L' || (type === 'VP8X' && (file[20]! & HAS_PROFILE_OR_EXIF) === 0);
}
