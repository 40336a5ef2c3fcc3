import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';

/**
 * Downsamples a PNG with a Lanczos-3 filter; channels and bit depth are unchanged.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function reducePng(
  bytes: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const { space } = await awaitDecoding(openPicture(bytes).metadata());
  const reduced = openPicture(bytes).resize({ width, height, fit: 'fill' });
  return awaitDecoding(reduced.toColourspace(space).png({ compressionLevel: 6 }).toBuffer());
}
