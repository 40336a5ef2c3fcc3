import { groundFor } from '../codecs/ground.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';

/** No network but those that read text is shown a longer side than this, in pixels. */
const SIDE_PX = 1280;

/**
 * An image as the networks take it, decoded once for all of them: on white, or on black where white would hide it, no longer than any of them is
 * shown, uncompressed. A small opaque image is returned as it is.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function smallCopy(bytes: Uint8Array, sidePx = SIDE_PX): Promise<Uint8Array> {
  const { width, height, hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  if (Math.max(width, height) <= sidePx && !hasAlpha) return bytes;
  const background = await groundFor(bytes, '#ffffff');
  return awaitDecoding(
    openPicture(bytes)
      .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .flatten({ background })
      .png({ compressionLevel: 0 })
      .toBuffer(),
  );
}
