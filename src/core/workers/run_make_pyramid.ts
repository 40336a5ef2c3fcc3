import { awaitDecoding, openPicture } from '@atelier/imaging/codecs/open_picture.ts';
import { readHeader } from '@atelier/imaging/codecs/read_header.ts';
import { AtelierError } from '../errors/atelier_error.ts';

const TILE_PX_MAX = 512;
/** TIFF 6.0, section 15: tile sides are multiples of 16. */
const TILE_STEP_PX = 16;
/** High enough that tiles look as if cut from the image itself. */
const QUALITY = 90;

export interface PyramidRequest {
  readonly bytes: Uint8Array;
  /** Output path; the file must not exist. */
  readonly path: string;
}

/**
 * Writes an image pyramid, so that any region can be read without the rest: a tiled TIFF with the whole image again at each half of the
 * size. 8-bit sRGB on white.
 * @throws EngineError as decoding does; AtelierError storage_full
 */
export async function runMakePyramid({
  bytes,
  path,
}: PyramidRequest): Promise<{ width: number; height: number }> {
  const tilePx = tileSideOf(readHeader(bytes));
  const pyramid = openPicture(bytes).flatten({ background: '#ffffff' }).toColourspace('srgb').tiff({
    tile: true,
    tileWidth: tilePx,
    tileHeight: tilePx,
    pyramid: true,
    compression: 'jpeg',
    quality: QUALITY,
  });
  const { width, height } = await awaitDecoding(pyramid.toFile(path).catch(explainFullDisk));
  return { width, height };
}

/** libvips writes images much smaller than their tiles, but cannot read them. */
const tileSideOf = ({ width, height }: { width: number; height: number }): number =>
  Math.min(TILE_PX_MAX, TILE_STEP_PX * Math.ceil(Math.max(width, height) / TILE_STEP_PX));

function explainFullDisk(error: unknown): never {
  if (!/no space left|unable to write|write (error|failed)/i.test(String(error))) throw error;
  throw new AtelierError('storage_full', undefined, { retryAfterSeconds: 300, cause: error });
}
