import type { Sharp } from 'sharp';
import { EngineError } from '../errors/engine_error.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { brokenPicture } from './headers/header.ts';
import type { PictureFormat } from './identify.ts';
import { IMAGE_PIXELS_MAX } from './limits.ts';
import { readHeader } from './read_header.ts';
import { sharp } from './sharp.ts';

/** Options for reading any uploaded image. */
export const READING = {
  failOn: 'warning',
  limitInputPixels: IMAGE_PIXELS_MAX,
  page: 0,
  pages: 1,
  autoOrient: true,
  sequentialRead: true,
} as const;

/**
 * Opens an image for engines: one frame or page only, EXIF orientation applied, damaged files rejected, pixels limited. Nothing is decoded before
 * `awaitDecoding(…)` runs the pipeline.
 * @param page from 1
 * @throws EngineError like `readHeader`
 */
export function openPicture(bytes: Uint8Array, page = 1): Sharp {
  const { format } = readHeader(bytes);
  const opened = sharp(bytes, { ...READING, page: page - 1 });
  return comesInP3(format, bytes) ? opened.withIccProfile('srgb', { attach: false }) : opened;
}

/** More than 8 bits with a profile: sharp processes these in Display P3 and would return the values as sRGB. */
function comesInP3(format: PictureFormat, bytes: Uint8Array): boolean {
  if (format !== 'png' && format !== 'tiff' && format !== 'avif') return false;
  const { samples, color } = identifyFile(format, bytes);
  const isRgb = samples.model === 'rgb' || samples.model === 'ycbcr';
  return isRgb && samples.bits > 8 && color.profile !== undefined;
}

/**
 * Awaits the result of a pipeline and converts decoder errors.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function awaitDecoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw pictureError(error);
  }
}

/** Converts a decoder error to an EngineError; unsupported variants are not reported as damaged. */
export function pictureError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (/exceeds pixel limit/i.test(reason)) {
    return new EngineError(
      'image_too_large',
      `The image has more than ${IMAGE_PIXELS_MAX / 1e6} million pixels. Send a smaller image.`,
    );
  }
  if (/premature|truncated|end of (file|stream|input)|not enough data/i.test(reason)) {
    return brokenPicture('the file is truncated before its last pixel');
  }
  const feature = UNSUPPORTED.find(([pattern]) => pattern.test(reason))?.[1];
  if (feature)
    return new EngineError(
      'unsupported_image',
      `The image is not damaged, but uses an unsupported feature (${feature}). Save it again as a standard PNG or JPEG.`,
    );
  return brokenPicture('its data is damaged');
}

/** Decoder messages for valid files that they do not support. */
const UNSUPPORTED: readonly [RegExp, string][] = [
  [/(\w+) compression support is not configured/i, 'a compression of TIFF that few programs read'],
  [
    /unsupported JPEG process|arithmetic|SOF type/i,
    'a rare kind of JPEG: lossless, hierarchical or arithmetic coding',
  ],
  [/unsupported JPEG data precision|data precision/i, 'a JPEG of more than 8 bits'],
  [/compression format has not been built in|unsupported codec/i, 'a codec that is not installed'],
  [/not (implemented|supported)|unsupported|can not handle|sorry/i, 'a rare variant of its format'],
];
