import { jpegSegments, startsWith } from '../metadata/containers/jpeg_segments.ts';
import { pngChunk, pngChunks } from '../pixels/png_chunks.ts';
import type { OutputFormat } from './formats.ts';

const INCHES_PER_METRE = 1 / 0.0254;

/**
 * The file with its dots per inch in its own header. Undefined where the format has no place for them but Exif, and for
 * TIFF, whose encoder writes them. Only for files made here.
 */
export function setDensity(bytes: Uint8Array, format: OutputFormat, dpi: number): Uint8Array | undefined {
  if (format === 'png' || format === 'apng') return inPng(bytes, dpi);
  return format === 'jpeg' ? inJpeg(bytes, dpi) : undefined;
}

/** pHYs, in pixels a metre. PNG 3rd edition, 11.3.4.3 */
function inPng(bytes: Uint8Array, dpi: number): Uint8Array {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(Math.round(dpi * INCHES_PER_METRE), 0);
  data.writeUInt32BE(Math.round(dpi * INCHES_PER_METRE), 4);
  data[8] = 1;
  const [header, ...others] = pngChunks(bytes).chunks.filter(({ type }) => type !== 'pHYs');
  return Buffer.concat([
    bytes.subarray(0, 8),
    header!.bytes,
    pngChunk('pHYs', data),
    ...others.map((chunk) => chunk.bytes),
  ]);
}

/** A JFIF segment with unit and density, in place of one that is there. ITU-T T.871, 10.1 */
function inJpeg(bytes: Uint8Array, dpi: number): Uint8Array {
  const segment = Buffer.from('ffe000104a46494600010101000000000000', 'hex');
  segment.writeUInt16BE(Math.round(dpi), 12);
  segment.writeUInt16BE(Math.round(dpi), 14);
  const { segments, rest } = jpegSegments(bytes);
  const others = segments.filter(
    ({ marker, payload }) => !(marker === APP0 && startsWith(payload, JFIF_HEAD)),
  );
  return Buffer.concat([
    bytes.subarray(0, 2),
    segment,
    ...others.map((other) => other.bytes),
    bytes.subarray(rest),
  ]);
}

const APP0 = 0xe0;
const JFIF_HEAD = Buffer.from('JFIF\0', 'latin1');
