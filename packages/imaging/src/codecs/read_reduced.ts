import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { openPicture, READING } from './open_picture.ts';
import type { PictureHeader } from './read_header.ts';
import { decodeRaster } from './read_raster.ts';
import { sharp } from './sharp.ts';

/**
 * Writes bytes to a file and returns its path, valid until the next call; undefined if no file can be written. libvips accepts the option for reduced
 * decoding only with a file path, and sharp cannot pass it for bytes.
 */
export type FileOf = (bytes: Uint8Array) => string | undefined;

export interface ReducedRaster {
  readonly raster: Raster;
  /** Position of the whole image, in pixels of the raster: for a JPEG, an incomplete last column or row is omitted. */
  readonly part: Size & { readonly left: number; readonly top: number };
}

interface Reduction {
  /** Format and size as stored. */
  readonly header: PictureHeader;
  /** Exif orientation, 1 to 8. */
  readonly orientation: number;
  /** Reduction factor of the final image. */
  readonly shrink: number;
  readonly fileOf?: FileOf | undefined;
}

/** Decoders reduce in gamma, so they keep this multiple of the final pixels per side. docs/decisions/0022-resampling-and-output.md */
const WEBP_SPARE = 3;
/**
 * Reductions of a JPEG and the minimum shrink for each: to half if twice the final pixels remain, with a tolerance for rounded sides; further if 2.4
 * times remain.
 */
const JPEG_DIVISORS = [
  { divisor: 8, least: 19.2 },
  { divisor: 4, least: 9.6 },
  { divisor: 2, least: 3.96 },
] as const;

/**
 * Decodes an image to 8-bit sRGB or grey, upright: at a fraction of its size if its decoder supports it, and at least at twice its final size.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function readReduced(
  bytes: Uint8Array,
  { header, orientation, shrink, fileOf }: Reduction,
): Promise<ReducedRaster> {
  const isJpeg = header.format === 'jpeg';
  const divisor = (isJpeg && JPEG_DIVISORS.find(({ least }) => least <= shrink)?.divisor) || 1;
  const scale = header.format === 'webp' ? Math.min(1, WEBP_SPARE / shrink) : 1;
  const path = divisor > 1 || scale < 1 ? fileOf?.(bytes) : undefined;
  if (path && divisor > 1) {
    const raster = await decode(sharp(`${path}[shrink=${divisor}]`, READING));
    return { raster, part: partOfJpeg(header, orientation, divisor) };
  }
  const raster = await decode(path ? sharp(`${path}[scale=${scale}]`, READING) : openPicture(bytes));
  return { raster, part: { left: 0, top: 0, width: raster.width, height: raster.height } };
}

const decode = (picture: ReturnType<typeof sharp>) => decodeRaster(picture.toColourspace('srgb'));

/** Exif orientations that reverse stored rows or columns. */
const MIRRORED_ROWS = new Set([2, 3, 6, 7]);
const MIRRORED_COLUMNS = new Set([3, 4, 7, 8]);

function partOfJpeg(stored: Size, orientation: number, divisor: number): ReducedRaster['part'] {
  const [across, down] = orientation >= 5 ? [stored.height, stored.width] : [stored.width, stored.height];
  const rest = (side: number) => (side % divisor) / divisor;
  return {
    left: MIRRORED_ROWS.has(orientation) ? -rest(across) : 0,
    top: MIRRORED_COLUMNS.has(orientation) ? -rest(down) : 0,
    width: across / divisor,
    height: down / divisor,
  };
}
