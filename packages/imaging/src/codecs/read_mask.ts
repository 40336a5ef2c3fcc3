import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';
import { decodeRaster } from './read_raster.ts';

/**
 * Decodes a mask and scales it to the size of an image: its alpha channel if it has one, else its brightness.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large; invalid_input for a different aspect ratio
 */
export async function readMask(bytes: Uint8Array, size: Size): Promise<Uint8Array> {
  const { autoOrient, hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  refuseOtherProportions(autoOrient, size);
  const whole = openPicture(bytes)
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
    .toColourspace('srgb');
  const alpha = hasAlpha ? await decodeRaster(whole.clone().extractChannel(3)) : undefined;
  if (alpha?.data.some((value) => value < 255)) return alpha.data;
  return (await decodeRaster(whole.removeAlpha().toColourspace('b-w'))).data;
}

/** Sides may differ by one pixel due to rounding. */
function refuseOtherProportions(mask: Size, size: Size): void {
  const across = mask.width / size.width;
  const down = mask.height / size.height;
  if (Math.abs(across * size.height - mask.height) <= 1.5 || Math.abs(down * size.width - mask.width) <= 1.5)
    return;
  const message = `has ${mask.width} × ${mask.height} pixels, which are not the proportions of the picture (${size.width} × ${size.height})`;
  throw new EngineError(
    'invalid_input',
    `mask ${message}. Send a mask of the size of the picture. You were not charged.`,
    {
      errors: [{ field: 'mask', code: 'invalid', message }],
    },
  );
}
