import { groundFor } from '../codecs/ground.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { shownSize } from '../codecs/shown_size.ts';

/** No network is shown a longer side than this, in pixels. */
const SIDE_PX = 1280;

/**
 * A picture as networks can take it, decoded once for all of them: on white, or on black where white would hide it, no longer than any of them is shown, in a form that
 * costs next to nothing to open. An opaque picture that is small enough is handed back as it is.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function smallCopy(bytes: Uint8Array): Promise<Uint8Array> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  const { width, height } = await shownSize(bytes);
  if (Math.max(width, height) <= SIDE_PX && !hasAlpha) return bytes;
  const background = await groundFor(bytes, '#ffffff');
  return awaitDecoding(
    openPicture(bytes)
      .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .flatten({ background })
      .png({ compressionLevel: 0 })
      .toBuffer(),
  );
}
