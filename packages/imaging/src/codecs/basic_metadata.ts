import { APP1, EXIF_HEAD, jpegSegments, startsWith } from '../metadata/containers/jpeg_segments.ts';
import type { Size } from '../pixels/plane.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';
import { readHeader } from './read_header.ts';

export interface BasicMetadata {
  /** Exif orientation, 1 to 8. */
  readonly orientation: number;
  /** Size after the orientation is applied. */
  readonly upright: Size;
  readonly icc?: Buffer | undefined;
  readonly exif?: Buffer | undefined;
  /** XMP of an AVIF; for other formats it is read from their containers. */
  readonly xmp?: Buffer | undefined;
}

/**
 * Metadata that libvips reads. Opening a file there takes a millisecond, as long as resizing a small image, so files whose header has neither Exif
 * nor a profile are not opened.
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

/** Requires that the list of segments reaches the first scan: in a damaged file, libjpeg may find segments after the damage. */
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

/** Chunks before the pixels without Exif or profile. https://www.w3.org/TR/png-3/#4Concepts.FormatTypes */
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

/** A simple file has one chunk; the flags of an extended one state its contents. https://developers.google.com/speed/webp/docs/riff_container */
function isPlainWebp(file: Buffer): boolean {
  const type = file.toString('latin1', 12, 16);
  const HAS_PROFILE_OR_EXIF = 0b0010_1000;
  return type === 'VP8 ' || type === 'VP8L' || (type === 'VP8X' && (file[20]! & HAS_PROFILE_OR_EXIF) === 0);
}
