import { lumaOf } from '../pixels/luma.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';
import { decodeRaster } from './read_raster.ts';

/** The visible part of a picture is averaged at this size. */
const SIDE_PX = 64;
/** A ground nearer to what lies on it than this, of 255, would hide it. */
const CONTRAST_MIN = 64;

const LUMA = { '#000000': 0, '#ffffff': 255 } as const;
export type Ground = keyof typeof LUMA;

/**
 * What transparent parts are laid on before a picture is analysed: the usual ground, or the opposite one where the picture would not stand out from
 * it. A black drawing on a black ground would be an empty picture, with the same hash as any other.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function groundFor(bytes: Uint8Array, usual: Ground): Promise<Ground> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  if (!hasAlpha) return usual;
  const { data, channels } = await decodeRaster(
    openPicture(bytes).toColourspace('srgb').ensureAlpha().resize(SIDE_PX, SIDE_PX, { fit: 'inside' }),
  );
  let [luma, opacity] = [0, 0];
  for (let at = 0; at < data.length; at += channels) {
    const alpha = data[at + channels - 1]!;
    const [red, green, blue] = channels < 3 ? [data[at], data[at], data[at]] : data.subarray(at, at + 3);
    luma += alpha * lumaOf(red!, green!, blue!);
    opacity += alpha;
  }
  if (opacity === 0 || Math.abs(luma / opacity - LUMA[usual]) >= CONTRAST_MIN) return usual;
  return usual === '#000000' ? '#ffffff' : '#000000';
}
