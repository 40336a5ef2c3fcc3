import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { LIBVIPS, sharp } from '../codecs/sharp.ts';
import { profileName } from './profile_name.ts';

export interface ConvertToSrgbRequest {
  readonly bytes: Uint8Array;
  /** Written into the file; no pixel is resampled for it. */
  readonly dpi: number;
}

export interface SrgbPicture {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** What the embedded profile calls itself. */
  readonly profile: string;
  readonly engine: { name: string; version: string };
}

/**
 * Converts a picture to an sRGB PNG with the profile and the density in the file; transparency stays. What the source says about its
 * colours is honoured; where it says nothing, sRGB or, of inks, libvips' own CMYK profile is taken.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function convertToSrgb({ bytes, dpi }: ConvertToSrgbRequest): Promise<SrgbPicture> {
  const picture = openPicture(bytes).withIccProfile('srgb').withDensity(dpi).png({ compressionLevel: 6 });
  const { data, info } = await awaitDecoding(picture.toBuffer({ resolveWithObject: true }));
  const { icc } = await sharp(data).metadata();
  return {
    bytes: data,
    contentType: 'image/png',
    width: info.width,
    height: info.height,
    profile: profileName(icc),
    engine: LIBVIPS,
  };
}
