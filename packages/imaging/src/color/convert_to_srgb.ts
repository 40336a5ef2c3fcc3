import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { LIBVIPS, sharp } from '../codecs/sharp.ts';
import { withProfile } from '../metadata/containers/color_profile.ts';
import { profileName } from './profile_name.ts';

export interface ConvertToSrgbRequest {
  readonly bytes: Uint8Array;
  /** Written into the file; the image is not resampled. */
  readonly dpi: number;
}

export interface SrgbPicture {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** Name of the embedded profile. */
  readonly profile: string;
  readonly engine: { name: string; version: string };
}

/**
 * Converts an image to an sRGB PNG with the profile and density in the file; transparency is preserved. Colour information in the source is
 * honoured. Without it, sRGB is assumed, or libvips' own CMYK profile for CMYK.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function convertToSrgb({ bytes, dpi }: ConvertToSrgbRequest): Promise<SrgbPicture> {
  const { depth, space, icc: own } = await awaitDecoding(openPicture(bytes).metadata());
  // sharp treats untagged 16-bit samples as Display P3: they stay unconverted and get the sRGB profile afterwards.
  const isAsItIs = depth === 'ushort' && space !== 'cmyk' && !own;
  const opened = openPicture(bytes);
  const picture = isAsItIs ? opened.toColourspace('rgb16') : opened.withIccProfile('srgb');
  const written = picture.withDensity(dpi).png({ compressionLevel: 6 });
  const { data, info } = await awaitDecoding(written.toBuffer({ resolveWithObject: true }));
  const made = isAsItIs ? withProfile(data, 'png', { icc: await srgbProfile(), size: info })! : data;
  const { icc } = await sharp(made).metadata();
  return {
    bytes: made,
    contentType: 'image/png',
    width: info.width,
    height: info.height,
    profile: profileName(icc),
    engine: LIBVIPS,
  };
}

/** The sRGB profile that libvips writes. */
async function srgbProfile(): Promise<Uint8Array> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } });
  const { icc } = await sharp(await pixel.withIccProfile('srgb').png().toBuffer()).metadata();
  return icc!;
}
