import { brokenPicture } from '../codecs/headers/header.ts';
import { IMAGE_PIXELS_MAX, IMAGE_SIDE_PX_MAX } from '../codecs/limits.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { ANIMATION_FRAMES_MAX, ANIMATION_PIXELS_MAX } from './limits.ts';

/** Rejects sizes before decoding. @throws EngineError undecodable_image for an empty image, image_too_large above the limits */
export function refuseSize(format: string, { width, height }: Size, pixelsMax = IMAGE_PIXELS_MAX): void {
  if (!(width >= 1 && height >= 1)) throw brokenPicture(`its header declares ${width} × ${height} pixels`);
  if (width <= IMAGE_SIDE_PX_MAX && height <= IMAGE_SIDE_PX_MAX && width * height <= pixelsMax) return;
  throw new EngineError(
    'image_too_large',
    `The ${format} has ${width} × ${height} pixels; at most ${Math.floor(pixelsMax / 1e5) / 10} million pixels and ${IMAGE_SIDE_PX_MAX} a side are read. Send a smaller one.`,
  );
}

/**
 * Runs a decoder whose out-of-bounds reads throw RangeError, as those of DataView and Buffer do.
 * @throws EngineError undecodable_image instead of RangeError
 */
export function withinFile<T>(format: string, bytes: Uint8Array, decode: (file: Buffer) => T): T {
  try {
    return decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw brokenPicture(`the ${format} ends after ${bytes.length} bytes, before its last pixel`);
  }
}

/** Exactly `length` bytes from `start`. @throws RangeError beyond the end */
export function slice(file: Buffer, start: number, length: number): Buffer {
  if (!(start >= 0 && length >= 0 && start + length <= file.length)) throw new RangeError('beyond the end');
  return file.subarray(start, start + length);
}

/** Error for a missing page, counted from 1. */
export const noSuchPage = (page: number, pages: number): EngineError =>
  new EngineError(
    'unsuitable_image',
    `There is no page ${page}: the file has ${pages}. ${pages === 1 ? 'Leave out pages.' : `Send a number from 1 to ${pages}.`}`,
    { errors: [{ field: 'pages', code: 'out_of_range', message: `1 to ${pages}`, got: page }] },
  );

/** Index of a page. @throws EngineError unsuitable_image for a missing page */
export function pageIndex(page: number | undefined, pages: number, otherwise = 0): number {
  if (page === undefined) return otherwise;
  if (Number.isInteger(page) && page >= 1 && page <= pages) return page - 1;
  throw noSuchPage(page, pages);
}

/** @throws EngineError image_too_large */
export function refuseAnimation({ width, height }: Size, frames: number): void {
  const pixels = frames * width * height;
  if (frames <= ANIMATION_FRAMES_MAX && pixels <= ANIMATION_PIXELS_MAX) return;
  throw new EngineError(
    'image_too_large',
    `The animation has ${frames} frames of ${width} × ${height} pixels; at most ${ANIMATION_FRAMES_MAX} frames and ${ANIMATION_PIXELS_MAX / 1e6} million pixels in all are read. Send a shorter or smaller one, or ask for its first frame.`,
  );
}
