import { lumaOf } from '../pixels/luma.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';
import { decodeRaster } from './read_raster.ts';

/** Side to which the visible part is reduced for averaging. */
const SIDE_PX = 64;
/** Minimum contrast between background and content, of 255. */
const CONTRAST_MIN = 64;

const LUMA = { '#000000': 0, '#ffffff': 255 } as const;
export type Ground = keyof typeof LUMA;

/**
 * Background for transparent parts before analysis: the usual one, or its opposite if the content would not be visible on it. A black drawing on
 * black would be an empty image, with the same hash as any other.
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
