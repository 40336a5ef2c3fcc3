import { awaitDecoding } from '../codecs/open_picture.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { entryOf, readIfd } from '../metadata/tiff/ifd.ts';
import { RAW_PREVIEWS_MAX } from './limits.ts';
import type { DecodedPicture } from './types.ts';

interface Preview {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const START = Buffer.of(0xff, 0xd8, 0xff);
const END = Buffer.of(0xff, 0xd9);
const START_OF_SCAN = 0xda;
/** Baseline, extended and progressive. Lossless ones (C3) are sensor data. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const SEGMENTS_MAX = 1000;
const ORIENTATION_TAG = 274;
/** A segment APP1 of a little-endian TIFF with this entry alone. Exif 3.0, 4.5 and 4.7. */
const EXIF = 'ffe1002245786966000049492a0008000000010012010300010000000000000000000000';
const ORIENTATION_AT = 28;
/** The first directory of a RAW file is at its beginning. */
const HEAD_BYTES = 64 * 1024;

/**
 * Decodes the largest JPEG that a camera embeds in its RAW file for display: CR2, CR3, NEF, ARW, DNG, RAF, RW2, ORF. Sensor data are not developed,
 * which the warning says.
 * @throws EngineError unsupported_image where there is no such JPEG
 */
export async function decodeRaw(bytes: Uint8Array): Promise<DecodedPicture> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const preview = largestPreview(file);
  if (!preview)
    throw new EngineError(
      'unsupported_image',
      'The RAW file contains no preview, and its sensor data are not developed here. Export it from your RAW program as JPEG or TIFF.',
    );
  const { orientation } = await awaitDecoding(sharp(preview.bytes).metadata());
  const upright = orientation ? preview.bytes : withOrientation(preview.bytes, orientationOf(file));
  const picture = await readRaster(upright);
  const warning = `The RAW file was read as the preview the camera embedded, ${picture.width} × ${picture.height} pixels. Export it from your RAW program for the full quality.`;
  return { ...picture, warnings: [warning] };
}

function largestPreview(file: Buffer): Preview | undefined {
  let largest: Preview | undefined;
  let found = 0;
  for (let at = file.indexOf(START); at >= 0 && found < RAW_PREVIEWS_MAX; at = file.indexOf(START, at + 1)) {
    const preview = jpegAt(file, at);
    if (!preview) continue;
    found += 1;
    if (!largest || preview.width * preview.height > largest.width * largest.height) largest = preview;
  }
  return largest;
}

/** A JPEG that is whole, with its size. ITU-T T.81, B.1: behind the first scan, two bytes FF D9 are its end. */
function jpegAt(file: Buffer, start: number): Preview | undefined {
  let at = start + 2;
  let size: { width: number; height: number } | undefined;
  for (
    let segments = 0;
    segments < SEGMENTS_MAX && at + 9 < file.length && file[at] === 0xff;
    segments += 1
  ) {
    const marker = file[at + 1]!;
    if (FRAMES.includes(marker) && file[at + 4] === 8)
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    if (marker === START_OF_SCAN) {
      const end = size ? file.indexOf(END, at) : -1;
      return size && end >= 0 ? { ...size, bytes: file.subarray(start, end + 2) } : undefined;
    }
    const length = file.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** From the first directory, which is a TIFF's under another magic number in some formats; 1 where there is none. */
function orientationOf(file: Buffer): number {
  const head = Buffer.from(file.subarray(0, HEAD_BYTES));
  if (head.length < 8) return 1;
  if (head[0] === 0x49) head.writeUInt16LE(42, 2);
  else head.writeUInt16BE(42, 2);
  const data = entryOf(readIfd(head), ORIENTATION_TAG)?.data;
  if (!data || data.length < 2) return 1;
  return head[0] === 0x49 ? data[0]! : data[1]!;
}

/** Puts an Exif segment with an orientation and nothing else behind the start of a JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  if (orientation < 2 || orientation > 8) return jpeg;
  const exif = Buffer.from(EXIF, 'hex');
  exif[ORIENTATION_AT] = orientation;
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
