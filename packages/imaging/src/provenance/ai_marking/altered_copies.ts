import { IMAGE_PIXELS_MAX } from '../../codecs/limits.ts';
import { sharp } from '../../codecs/sharp.ts';

/** Typical alterations of an image during distribution. */
export const ALTERATIONS = ['half_size', 'jpeg_75', 'crop_10', 'no_metadata'] as const;
export type Alteration = (typeof ALTERATIONS)[number];

export interface AlteredCopy {
  readonly alteration: Alteration;
  readonly bytes: Uint8Array;
}

/**
 * Altered copies of an image: half the width and height, JPEG of quality 75, and a crop to 90 % of the width and height, each with its metadata; and
 * a copy without metadata. libvips keeps EXIF, XMP and IPTC, but no C2PA manifest.
 * @throws Error if the image cannot be decoded or has more than 64 megapixels
 */
export async function alteredCopies(bytes: Uint8Array): Promise<AlteredCopy[]> {
  const image = sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX });
  const { width, height } = await image.metadata();
  const nine = (side: number): number => Math.max(1, Math.round(0.9 * side));
  const pipelines: Record<Alteration, ReturnType<typeof sharp>> = {
    half_size: image
      .clone()
      .resize(Math.max(1, Math.round(width / 2)), Math.max(1, Math.round(height / 2)))
      .keepMetadata(),
    jpeg_75: image.clone().jpeg({ quality: 75 }).keepMetadata(),
    crop_10: image
      .clone()
      .extract({ left: 0, top: 0, width: nine(width), height: nine(height) })
      .keepMetadata(),
    no_metadata: image.clone(),
  };
  const copies: AlteredCopy[] = [];
  for (const alteration of ALTERATIONS)
    copies.push({ alteration, bytes: await pipelines[alteration].toBuffer() });
  return copies;
}
