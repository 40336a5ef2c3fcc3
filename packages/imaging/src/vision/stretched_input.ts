import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Size } from '../pixels/plane.ts';

/** Mean and standard deviation of red, green and blue from 0 to 1. */
export interface Norm {
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/**
 * The whole image in the input format of most models: stretched to these sides, on white, as red, green and blue planes.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function stretchedInput(
  bytes: Uint8Array,
  { width, height }: Size,
  { mean, deviation }: Norm,
): Promise<Float32Array> {
  const { data, channels } = await decodeRaster(
    openPicture(bytes)
      .toColourspace('srgb')
      .flatten({ background: 'white' })
      .resize({ width, height, fit: 'fill' })
      .removeAlpha(),
  );
  const area = width * height;
  const input = new Float32Array(3 * area);
  for (let plane = 0; plane < 3; plane++) {
    // A greyscale channel is repeated.
    const channel = channels < 3 ? 0 : plane;
    for (let at = 0; at < area; at++)
      input[plane * area + at] = (data[at * channels + channel]! / 255 - mean[plane]!) / deviation[plane]!;
  }
  return input;
}
