import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { hashedLuma, pdqOf } from '../fingerprint/pdq/pdq.ts';
import { paletteOfPixels } from '../palette/palette_of_pixels.ts';
import { layoutOf } from './layout.ts';
import { DESCRIPTOR_COLORS_MAX, packColors, type VisualDescriptor } from './visual_descriptor.ts';

/** Side in pixels at which colours and layout are measured: shares of large areas do not change above it. */
const SIDE_PX = 256;

/**
 * Computes the visual descriptor of an image: PDQ hashes of all rotations and reflections, main colours and layout.
 * @throws EngineError unsuitable_image (nothing visible), undecodable_image, image_too_large
 */
export async function computeVisualDescriptor({ bytes }: { bytes: Uint8Array }): Promise<VisualDescriptor> {
  const { luma } = await hashedLuma(bytes);
  const { hashes, quality } = pdqOf(luma);
  const { data, info } = await awaitDecoding(
    openPicture(bytes)
      .toColourspace('srgb')
      .ensureAlpha()
      .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', kernel: 'nearest', withoutEnlargement: true })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  return {
    hashes,
    quality,
    colors: packColors(paletteOfPixels(data, DESCRIPTOR_COLORS_MAX)),
    layout: layoutOf({ data, width: info.width, height: info.height }),
  };
}
