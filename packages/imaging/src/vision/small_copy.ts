import { groundFor } from '../codecs/ground.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';

/** Longest input side of all models except those that read text, in pixels. */
const SIDE_PX = 1280;

/**
 * Decodes an image once for all models: on white, or on black if white would hide the content, with no side longer than any model needs,
 * uncompressed. A small opaque image is returned unchanged.
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
