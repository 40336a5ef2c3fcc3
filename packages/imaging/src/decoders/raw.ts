import { awaitDecoding } from '../codecs/open_picture.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { entryOf, readIfd } from '../metadata/tiff/ifd.ts';
import { largestPreview } from './raw_preview.ts';
import type { DecodedPicture } from './types.ts';

const ORIENTATION_TAG = 274;
/** An APP1 segment with a little-endian TIFF whose only entry is the orientation. Exif 3.0, 4.5 and 4.7. */
const EXIF = 'ffe1002245786966000049492a0008000000010012010300010000000000000000000000';
const ORIENTATION_AT = 28;
/** The first directory of a RAW file is near its start. */
const HEAD_BYTES = 64 * 1024;

/**
 * Decodes the largest JPEG preview in a camera RAW file: CR2, CR3, NEF, ARW, DNG, RAF, RW2, ORF. Sensor data is not developed; a warning states this.
 * @throws EngineError unsupported_image without such a JPEG
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

/** Orientation from the first directory, a TIFF directory with a different magic number in some formats; 1 by default. */
function orientationOf(file: Buffer): number {
  const head = Buffer.from(file.subarray(0, HEAD_BYTES));
  if (head.length < 8) return 1;
  if (head[0] === 0x49) head.writeUInt16LE(42, 2);
  else head.writeUInt16BE(42, 2);
  const data = entryOf(readIfd(head), ORIENTATION_TAG)?.data;
  if (!data || data.length < 2) return 1;
  return head[0] === 0x49 ? data[0]! : data[1]!;
}

/** Inserts an Exif segment with only an orientation after the start of a JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  if (orientation < 2 || orientation > 8) return jpeg;
  const exif = Buffer.from(EXIF, 'hex');
  exif[ORIENTATION_AT] = orientation;
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
