import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Raster } from '../pixels/raster.ts';
import { VECTORIZE_PIXELS_MAX } from './limits.ts';
import { OPAQUE_MIN } from './partition.ts';

/**
 * The pixels to trace, at most so many that it ends in time; and the picture's own size.
 * @throws EngineError unsuitable_image where nothing is visible, undecodable_image, image_too_large
 */
export async function readTracedPixels(
  bytes: Uint8Array,
): Promise<{ picture: Raster; width: number; height: number }> {
  const { autoOrient: size } = await awaitDecoding(openPicture(bytes).metadata());
  const { width, height } = size;
  const source = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  if (width * height > VECTORIZE_PIXELS_MAX) {
    const scale = Math.sqrt(VECTORIZE_PIXELS_MAX / (width * height));
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    // Lanczos would draw dark rims along sharp edges, and they would be traced.
    source.resize({ width: across!, height: down!, fit: 'fill', kernel: 'linear' });
  }
  const picture = await decodeRaster(source);
  refuseInvisible(picture);
  return { picture, width, height };
}

function refuseInvisible({ data: rgba }: Raster): void {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! >= OPAQUE_MIN) return;
  throw new EngineError(
    'unsuitable_image',
    'No pixel of the picture is more than half opaque, so there is nothing to draw. Send a picture with visible pixels.',
  );
}
