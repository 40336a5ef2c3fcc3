import { EngineError } from '../errors/engine_error.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { identifyHeif } from '../identify/read_heif.ts';
import type { Size } from '../pixels/plane.ts';
import { brokenPicture, gifSize, jpegSize, pngSize, type ReadSize, webpSize } from './headers/header.ts';
import { identify, type PictureFormat } from './identify.ts';
import { AVIF_PIXELS_MAX, IMAGE_PIXELS_MAX, IMAGE_SIDE_PX_MAX, TIFF_CHANNELS_MAX } from './limits.ts';

export type { PictureFormat } from './identify.ts';

export interface PictureHeader extends Size {
  readonly format: PictureFormat;
}

/**
 * Reads format and size (pixels, before EXIF orientation) from the header in microseconds, without decoding.
 * @throws EngineError unsupported_image, undecodable_image, image_too_large; no other errors, whatever the bytes
 */
export function readHeader(bytes: Uint8Array): PictureHeader {
  const known = KNOWN.get(bytes);
  if (known) return known;
  const header = headerOf(bytes);
  KNOWN.set(bytes, header);
  return header;
}

/** Cache: a call reads the header of one file several times. */
const KNOWN = new WeakMap<Uint8Array, PictureHeader>();

function headerOf(bytes: Uint8Array): PictureHeader {
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
  return { format: kind.format, width: size.width, height: size.height };
}

const READERS: Record<PictureFormat, ReadSize> = {
  png: pngSize,
  jpeg: jpegSize,
  webp: webpSize,
  avif: avifSize,
  tiff: tiffSize,
  gif: gifSize,
};

const bytesIn = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** @throws EngineError image_too_large also for auxiliary images, which decoders may read */
function avifSize(view: DataView): Size {
  const identity = identifyHeif(bytesIn(view));
  const { width, height, pixelsMax } = identity;
  if (pixelsMax > AVIF_PIXELS_MAX && width * height <= AVIF_PIXELS_MAX)
    refuseImpossible('avif', { width: pixelsMax, height: 1 });
  return identity;
}

/** Size of the main page. @throws EngineError unsupported_image for compressions without a decoder */
function tiffSize(view: DataView): Size {
  const identity = identifyFile('tiff', bytesIn(view));
  const { samples, compression } = identity;
  if (samples.channels > TIFF_CHANNELS_MAX)
    throw new EngineError(
      'unsupported_image',
      `The TIFF has ${samples.channels} channels; at most ${TIFF_CHANNELS_MAX} are read. Send it as RGB or CMYK.`,
    );
  if (UNREAD_COMPRESSIONS.has(compression))
    throw new EngineError(
      'unsupported_image',
      `This is a TIFF compressed with ${compression}, which is not read here. Save it with LZW or Deflate, or as PNG.`,
    );
  return identity;
}

const UNREAD_COMPRESSIONS: ReadonlySet<string> = new Set(['LERC', 'JPEG XL', 'JPEG 2000', 'JBIG', 'WebP']);

function sizeOf(format: PictureFormat, bytes: Uint8Array): Size {
  try {
    return READERS[format](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError)
      throw brokenPicture(`its header is cut off: it ends after ${bytes.length} bytes`);
    throw error;
  }
}

export function refuseImpossible(format: string, { width, height }: Size): void {
  if (width < 1 || height < 1) throw brokenPicture(`its header declares ${width} × ${height} pixels`);
  if (format === 'avif' && width * height > AVIF_PIXELS_MAX)
    throw new EngineError(
      'image_too_large',
      `The AVIF has ${width} × ${height} pixels; at most ${AVIF_PIXELS_MAX / 1e6} million are accepted for this format, because it must be decoded as a whole. Send it as JPEG, WebP or PNG, which may have ${IMAGE_PIXELS_MAX / 1e6} million, or send a smaller image.`,
    );
  if (width <= IMAGE_SIDE_PX_MAX && height <= IMAGE_SIDE_PX_MAX && width * height <= IMAGE_PIXELS_MAX) return;
  throw new EngineError(
    'image_too_large',
    `The image has ${width} × ${height} pixels. The limit is ${IMAGE_PIXELS_MAX / 1e6} million pixels, and ${IMAGE_SIDE_PX_MAX} on each side. Send a smaller image.`,
  );
}
