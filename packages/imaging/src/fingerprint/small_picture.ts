import { groundFor } from '../codecs/ground.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { lumaPlane } from '../pixels/luma.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';

/** Longest side, in pixels. */
export const SIDE_PX = 384;

/** Three channels, and their luma. */
export interface SmallPicture extends Raster {
  readonly grey: Plane;
}

/**
 * Decodes a reduced image, with transparent parts on black, or on white if black would hide the content. @throws EngineError undecodable_image,
 * image_too_large
 */
export async function smallPicture(bytes: Uint8Array, side = SIDE_PX): Promise<SmallPicture> {
  const background = await groundFor(bytes, '#000000');
  const small = await decodeRaster(
    openPicture(bytes)
      .toColourspace('srgb')
      .flatten({ background })
      .removeAlpha()
      .resize(side, side, { fit: 'inside' }),
  );
  const colors = small.channels === 3 ? small : repeatGrey(small);
  return { ...colors, grey: lumaPlane(colors) };
}

const repeatGrey = ({ width, height, channels, data: grey }: Raster): Raster => ({
  width,
  height,
  channels: 3,
  data: Uint8Array.from({ length: width * height * 3 }, (_, at) => grey[Math.floor(at / 3) * channels]!),
});
