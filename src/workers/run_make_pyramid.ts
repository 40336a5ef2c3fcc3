import { awaitDecoding, openPicture } from '@atelier/engines/picture/open_picture.ts';
import { AtelierError } from '../errors/atelier_error.ts';

const TILE_PX = 512;
/** High enough that tiles cut from it look as if cut from the picture itself. */
const QUALITY = 90;

export interface PyramidRequest {
  readonly bytes: Uint8Array;
  /** Where it is written; nothing may be there. */
  readonly path: string;
}

/**
 * Writes a picture so that any part of it is read without the rest: a TIFF of tiles, with the whole again at each half of the size.
 * 8-bit sRGB on white. @throws EngineError as decoding does; AtelierError storage_full
 */
export async function runMakePyramid({
  bytes,
  path,
}: PyramidRequest): Promise<{ width: number; height: number }> {
  const pyramid = openPicture(bytes)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .tiff({
      ...{ tile: true, tileWidth: TILE_PX, tileHeight: TILE_PX, pyramid: true },
      ...{ compression: 'jpeg', quality: QUALITY },
    });
  const { width, height } = await awaitDecoding(pyramid.toFile(path).catch(explainFullDisk));
  return { width, height };
}

function explainFullDisk(error: unknown): never {
  if (!/no space left|unable to write|write (error|failed)/i.test(String(error))) throw error;
  throw new AtelierError('storage_full', undefined, { retryAfterSeconds: 300, cause: error });
}
