import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Raster } from '../pixels/raster.ts';

/**
 * Decodes an image for a model: on white, as grey or RGB, with no side longer than `sidePx`.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export const decodeFitted = (bytes: Uint8Array, sidePx: number): Promise<Raster> =>
  decodeRaster(
    openPicture(bytes)
      .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha(),
  );
