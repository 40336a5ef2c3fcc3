import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { openPicture, READING } from './open_picture.ts';
import type { PictureHeader } from './read_header.ts';
import { decodeRaster } from './read_raster.ts';
import { sharp } from './sharp.ts';

/**
 * Writes bytes to a file and returns its path, valid until the next call; undefined where no file can be written. libvips takes the
 * option to decode at a fraction of the size with the path of a file, and sharp has no way to give it for bytes.
 */
export type FileOf = (bytes: Uint8Array) => string | undefined;

export interface ReducedRaster {
  readonly raster: Raster;
  /** Where the whole image is, in pixels of the raster: of a JPEG, the last column and row are left out where they are not whole. */
  readonly part: Size & { readonly left: number; readonly top: number };
}

interface Reduction {
  /** Format and size as stored. */
  readonly header: PictureHeader;
  /** Of Exif, 1 to 8. */
  readonly orientation: number;
  /** How many times smaller the image will be. */
  readonly shrink: number;
  readonly fileOf?: FileOf | undefined;
}

/** Decoders reduce in gamma, so they leave so many times the pixels a side will have. docs/decisions/0022-resampling-and-output.md */
const WEBP_SPARE = 3;
/** By which a JPEG is reduced, and by how much its sides shrink at least: to half with twice the pixels left, but for the rounding of sides, further with 2.4 times. */
const JPEG_DIVISORS = [
  { divisor: 8, least: 19.2 },
  { divisor: 4, least: 9.6 },
  { divisor: 2, least: 3.96 },
] as const;

/**
 * Decodes an image to 8-bit sRGB or grey, upright: at a fraction of its size where its decoder can, and at no less than twice the
 * size it will have.
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

/** Exif orientations whose upright rows, or columns, run against those that are stored. */
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
