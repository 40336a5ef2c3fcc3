import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { avifSize } from './headers/avif_size.ts';
import { gifSize } from './headers/gif_size.ts';
import { brokenPicture, type ReadSize } from './headers/header.ts';
import { jpegSize } from './headers/jpeg_size.ts';
import { pngSize } from './headers/png_size.ts';
import { tiffSize } from './headers/tiff_size.ts';
import { webpSize } from './headers/webp_size.ts';
import { identify, type PictureFormat } from './identify.ts';
import { AVIF_PIXELS_MAX, IMAGE_PIXELS_MAX, IMAGE_SIDE_PX_MAX } from './limits.ts';

export type { PictureFormat } from './identify.ts';

export interface PictureHeader extends Size {
  readonly format: PictureFormat;
}

/**
 * Tells format and size (pixels, before EXIF orientation) from the header alone, in microseconds, without decoding.
 * @throws EngineError unsupported_image, undecodable_image, image_too_large; nothing else, whatever the bytes
 */
export function readHeader(bytes: Uint8Array): PictureHeader {
  if (bytes.length === 0) throw brokenPicture('it is empty');
  const kind = identify(bytes);
  if ('other' in kind) {
    throw new EngineError(
      'unsupported_image',
      `This is ${kind.other}. Send a PNG, JPEG, WebP, AVIF, TIFF or GIF picture.`,
    );
  }
  const size = sizeOf(kind.format, bytes);
  refuseImpossible(kind.format, size);
  return { format: kind.format, ...size };
}

const READERS: Record<PictureFormat, ReadSize> = {
  png: pngSize,
  jpeg: jpegSize,
  webp: webpSize,
  avif: avifSize,
  tiff: tiffSize,
  gif: gifSize,
};

function sizeOf(format: PictureFormat, bytes: Uint8Array): Size {
  try {
    return READERS[format](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError)
      throw brokenPicture(`its header is cut off: it ends after ${bytes.length} bytes`);
    throw error;
  }
}

function refuseImpossible(format: PictureFormat, { width, height }: Size): void {
  if (width < 1 || height < 1) throw brokenPicture(`its header says ${width} × ${height} pixels`);
  if (format === 'avif' && width * height > AVIF_PIXELS_MAX)
    throw new EngineError(
      'image_too_large',
      `The AVIF has ${width} × ${height} pixels; at most ${AVIF_PIXELS_MAX / 1e6} million are taken of this format, as it has to be decoded whole. Send it as JPEG, WebP or PNG, which may have ${IMAGE_PIXELS_MAX / 1e6} million, or smaller.`,
    );
  if (width <= IMAGE_SIDE_PX_MAX && height <= IMAGE_SIDE_PX_MAX && width * height <= IMAGE_PIXELS_MAX) return;
  throw new EngineError(
    'image_too_large',
    `The picture has ${width} × ${height} pixels; at most ${IMAGE_PIXELS_MAX / 1e6} million pixels and ${IMAGE_SIDE_PX_MAX} a side are taken. Send a smaller one.`,
  );
}
